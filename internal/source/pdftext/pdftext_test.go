package pdftext

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/source/pdftext/pdftest"
)

func TestRead(t *testing.T) {
	t.Parallel()
	first := "BT /F1 12 Tf 72 700 Td (The har-) Tj 0 -14 Td (bour of Port Ellen burned on a North-) Tj 0 -14 Td (Eastern night.) Tj 0 -30 Td [(Next) -600 (para) 20 (graph.)] TJ ET"
	second := "q 1 0 0 1 10 10 cm BT /F1 10 Tf 12 TL 1 0 0 1 0 600 Tm (caf\\351 \\(open\\)) Tj T* (line two) Tj (and three) ' ET Q /X Do"
	toUnicode := "/CIDInit /ProcSet findresource begin 12 dict begin begincmap 1 begincodespacerange <0000> <ffff> endcodespacerange 2 beginbfchar <0001> <005a> <0002> <fb01> endbfchar endcmap end end"
	raw := pdftest.File("/Info<</Title(A title)/CreationDate(D:20240301091500Z)>>",
		pdftest.Catalog, "<</Type/Pages/Kids[3 0 R 8 0 R]/Count 2/Resources<</Font<</F1 5 0 R/F2 9 0 R>>/XObject<</X 7 0 R>>>>>>",
		"<</Type/Page/Parent 2 0 R/Contents 4 0 R>>", pdftest.Stream("", first), pdftest.Helvetica,
		pdftest.Stream("/Filter/FlateDecode", pdftest.Deflate(second)),
		pdftest.Stream("/Type/XObject/Subtype/Form/Matrix[1 0 0 1 0 0]", "BT /F2 10 Tf 100 300 Td <00010002> Tj ET"),
		"<</Type/Page/Parent 2 0 R/Contents[6 0 R]>>",
		"<</Type/Font/Subtype/Type0/BaseFont/X/Encoding/Identity-H/ToUnicode 10 0 R/DescendantFonts[<</DW 500/W[1[600 700] 3 4 900]>>]>>",
		pdftest.Stream("", toUnicode),
	)
	doc, err := Read(t.Context(), []byte(raw))
	if err != nil {
		t.Fatal(err)
	}
	want := "The harbour of Port Ellen burned on a North-\nEastern night.\n\nNext paragraph.\n\ncafé (open)\nline two\nand three\n\nZfi"
	if diff := cmp.Diff(want, doc.Text()); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
	if doc.Title != "A title" || doc.Created != "D:20240301091500Z" || len(doc.Pages) != 2 || len(doc.Failures) > 0 {
		t.Errorf("title %q, created %q, %d pages, failures %v", doc.Title, doc.Created, len(doc.Pages), doc.Failures)
	}
	other, err := Read(t.Context(), []byte("\n"+strings.Replace(raw, "%PDF-1.4\n", "%PDF-2.0\r", 1)+strings.Repeat("\x00", 500)))
	if err != nil || other.Text() != doc.Text() {
		t.Errorf("as version 2.0, with bytes around the file: got %q, %v, want the same text", other.Text(), err)
	}
}

func TestPageThatFailsLeavesTheOthers(t *testing.T) {
	t.Parallel()
	raw := pdftest.File("", pdftest.Catalog, "<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2/Resources<</Font<</F1 5 0 R>>>>>>",
		"<</Type/Page/Parent 2 0 R/Contents[6 0 R]>>", "<</Type/Page/Parent 2 0 R/Contents 7 0 R>>", pdftest.Helvetica,
		pdftest.Stream("/Filter/LZWDecode", "x"), pdftest.Stream("", "BT /F1 12 Tf (Here.) Tj ET"))
	doc, err := Read(t.Context(), []byte(raw))
	if err != nil || doc.Text() != "Here." {
		t.Errorf("got %q, %v, want the text of the other page", doc.Text(), err)
	}
	if len(doc.Failures) != 1 || !strings.Contains(doc.Failures[0].Error(), "page 1: unknown filter LZWDecode") {
		t.Errorf("failures: %q", doc.Failures)
	}
}

func TestFilesThatFail(t *testing.T) {
	t.Parallel()
	ok := pdftest.Stream("", "BT /F1 12 Tf (A) Tj ET")
	bomb := strings.Repeat("(aaaaaaaaaaaaaaaa) Tj ", 2_000_000)
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	for _, tc := range []struct{ name, raw, want string }{
		{"no PDF", "hello", "not a PDF"},
		{"truncated", pdftest.OnePage(ok)[:200], "%%EOF"},
		{"encrypted", pdftest.File("/Encrypt 2 0 R", pdftest.Catalog, "<</Filter/Standard>>"), "encrypted: save it without"},
		{"no pages", pdftest.File("", pdftest.Catalog, "<</Type/Pages/Kids[]/Count 0>>"), "no pages"},
		{"stream that unpacks to too much", pdftest.OnePage(ok, pdftest.Stream("/Filter/FlateDecode", pdftest.Deflate(strings.Repeat(" ", maxStream+1)))), "streams unpack to more than"},
		{"too many objects", strings.Replace(pdftest.OnePage(ok), "/Size 6", "/Size 99999999999", 1), "announces more than"},
		{"table that starts too late", strings.Replace(pdftest.OnePage(ok), "xref\n0 6", "xref\n4000000000 6", 1), "table starts at object"},
		{"page tree with a cycle", pdftest.File("", pdftest.Catalog, "<</Type/Pages/Kids[2 0 R]/Count 1>>"), "page tree deeper"},
		{"too many pages", pdftest.File("", pdftest.Catalog, "<</Type/Pages/Kids["+strings.Repeat("3 0 R ", maxPages+1)+"]>>", "<</Type/Page>>"), "more than 10000 pages"},
		{"nested arrays", pdftest.File("", "<</Pages "+strings.Repeat("[", 3_000_000)+">>"), "malformed PDF"},
		{"object stream whose length it contains", lengthInsideObjectStream(), "recursive objects"},
	} {
		_, err := Read(ctx, []byte(tc.raw))
		if err == nil || !strings.Contains(err.Error(), tc.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: got error %v, want one line with %q", tc.name, err, tc.want)
		}
	}
	for _, tc := range []struct{ name, raw, want string }{
		{"font with an unknown encoding", strings.Replace(pdftest.OnePage(ok), "/Subtype/Type1/", "/Subtype/Type0/", 1), "unsupported encoding"},
		{"content that unpacks to too much", pdftest.OnePage(pdftest.Stream("/Filter/FlateDecode", pdftest.Deflate(bomb))), "content unpacks to more than"},
		{"the same content many times", pdftest.OnePageOf(strings.Repeat("4 0 R ", 2000), pdftest.Stream("/Filter/FlateDecode", pdftest.Deflate(bomb[:400_000]))), "content unpacks to more than"},
	} {
		doc, err := Read(ctx, []byte(tc.raw))
		if err != nil || doc.Text() != "" || len(doc.Failures) != 1 || !strings.Contains(doc.Failures[0].Error(), tc.want) {
			t.Errorf("%s: got %v, %v, want a failed page with %q", tc.name, doc.Failures, err, tc.want)
		}
	}
}

// lengthInsideObjectStream is a file whose object 2, an object stream, has the
// length that object 1 says, which is in that stream.
func lengthInsideObjectStream() string {
	var b strings.Builder
	b.WriteString("%PDF-1.5\n")
	container := b.Len()
	b.WriteString("2 0 obj\n<</Type/ObjStm/N 1 0 R/First 4/Length 20>>\nstream\n1 0 <</Pages 1 0 R>>\nendstream\nendobj\n")
	entries := "\x00\x00\x00" + "\x02\x02\x00" + "\x01" + string(rune(container)) + "\x00"
	return b.String() + pdftest.CrossReferences(b.Len(), 3, "1 1 1", entries)
}

func TestReadEndsWithItsContext(t *testing.T) {
	t.Parallel()
	loop := pdftest.OnePage(pdftest.Stream("", "BT /F1 12 Tf (A) Tj ET"))
	at := strings.LastIndex(loop, "startxref\n")
	loop = strings.Replace(loop, "/Root", fmt.Sprintf("/Prev %s/Root", strings.Fields(loop[at:])[1]), 1)
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	if _, err := Read(ctx, []byte(loop)); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a table that refers to itself: got %v, want the deadline", err)
	}
}

func TestJoinHyphens(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"exam-\nple": "example", "é-\né": "éé", "North-\nEast": "North-\nEast", "1-\n2": "1-\n2", "-\na": "-\na", "a-": "a-", "a -\nb": "a -\nb",
	} {
		if got := joinHyphens(in); got != want {
			t.Errorf("joinHyphens(%q) = %q, want %q", in, got, want)
		}
	}
}
