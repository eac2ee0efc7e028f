package source

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/source/pdftext/pdftest"
)

func TestReadPDF(t *testing.T) {
	t.Parallel()
	pages := func(info, first string) string {
		return pdftest.File("/Info 8 0 R",
			pdftest.Catalog, "<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2/Resources<</Font<</F1 5 0 R>>>>>>",
			"<</Type/Page/Parent 2 0 R/Contents 6 0 R>>", "<</Type/Page/Parent 2 0 R/Contents 7 0 R>>", pdftest.Helvetica,
			first, pdftest.Stream("", "BT /F1 12 Tf (Here.) Tj ET"), "<<"+info+"/CreationDate(D:20240301091500Z)>>")
	}
	first := pdftest.Stream("", "BT /F1 12 Tf (Time: 20240301_10:00) Tj ET")
	doc, err := read(t, "a.pdf", pages("/Title(A  title)", first))
	if err != nil || doc.Text != "Time: 20240301_10:00\n\nHere." {
		t.Errorf("text %q, %v", doc.Text, err)
	}
	if diff := cmp.Diff([]graph.Page{{Number: 1, Start: 0}, {Number: 2, Start: 22}}, doc.Places.Pages); diff != "" {
		t.Errorf("pages (-want +got):\n%s", diff)
	}
	if doc.Title != "A title" || doc.Date != "2024-03-01T10:00" || doc.MIME != "application/pdf" {
		t.Errorf("title %q, date %q, MIME %q", doc.Title, doc.Date, doc.MIME)
	}
	doc, err = read(t, "a.pdf", pages("/Title(report.docx)", pdftest.Stream("/Filter/Unknown", "x")))
	if err != nil || doc.Text != "Here." {
		t.Fatalf("got %q, %v, want the text of the second page", doc.Text, err)
	}
	if doc.Title != "a" || doc.Date != "2024-03-01T09:15" {
		t.Errorf("title %q, date %q, want the name of the file and the creation date", doc.Title, doc.Date)
	}
	for _, title := range []string{`\(anonymous\)`, "Untitled-1", "Microsoft Word - Brief", "Dokument1"} {
		if doc, err = read(t, "a.pdf", pages("/Title("+title+")", first)); err != nil || doc.Title != "a" {
			t.Errorf("title %q, %v, want the name of the file instead of %q", doc.Title, err, title)
		}
	}
	if _, err := read(t, "a.pdf", pdftest.OnePage(pdftest.Stream("", "q 1 0 0 1 0 0 cm /Im Do Q"))); err == nil || !strings.Contains(err.Error(), "text recognition") {
		t.Errorf("only images: got error %v", err)
	}
}
