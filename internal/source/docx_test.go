package source

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/graph"
)

// A part is a file of an archive.
type part struct{ name, content string }

// wordFile returns an archive of these files.
func wordFile(tb testing.TB, parts ...part) string {
	tb.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, p := range parts {
		f, err := w.Create(p.name)
		if err != nil {
			tb.Fatal(err)
		}
		if _, err := f.Write([]byte(p.content)); err != nil {
			tb.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		tb.Fatal(err)
	}
	return b.String()
}

// wordBody returns the main part of a document with that body.
func wordBody(body string) part {
	return part{"word/document.xml", `<?xml version="1.0" encoding="UTF-8"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"><w:body>` + body + `</w:body></w:document>`}
}

func wordText(s string) string { return "<w:r><w:t xml:space=\"preserve\">" + s + "</w:t></w:r>" }

func wordParagraph(properties, s string) string {
	return "<w:p><w:pPr>" + properties + "</w:pPr>" + wordText(s) + "</w:p>"
}

func TestReadDOCX(t *testing.T) {
	t.Parallel()
	item := `<w:pStyle w:val="a"/><w:numPr><w:ilvl w:val="%d"/><w:numId w:val="1"/></w:numPr>`
	cell := func(s string) string { return "<w:tc>" + wordParagraph("", s) + "</w:tc>" }
	raw := wordFile(t,
		part{"docProps/core.xml", `<cp:coreProperties xmlns:cp="c" xmlns:dc="d" xmlns:dcterms="t"><dc:title>The  Harbour</dc:title><dcterms:created>2024-03-01T09:15:00Z</dcterms:created><dc:creator>Clara</dc:creator></cp:coreProperties>`},
		part{"word/styles.xml", `<w:styles xmlns:w="w"><w:style w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style><w:style w:styleId="Mine"><w:name w:val="Mine"/><w:basedOn w:val="berschrift1"/></w:style><w:style w:styleId="a"><w:name w:val="List Paragraph"/></w:style></w:styles>`},
		part{"word/footnotes.xml", `<w:footnotes xmlns:w="w"><w:footnote w:id="0" w:type="separator"><w:p/></w:footnote><w:footnote w:id="2">` + wordParagraph("", "A note") + wordParagraph("", "of two parts.") + `</w:footnote></w:footnotes>`},
		wordBody(wordParagraph(`<w:pStyle w:val="berschrift1"/>`, "First")+
			"<w:p>"+wordText("One ")+wordText("para&amp;graph")+`<w:r><w:tab/></w:r>`+wordText("goes on.")+`<w:r><w:footnoteReference w:id="2"/></w:r><w:del><w:r><w:t>gone</w:t></w:r></w:del></w:p><w:p/>`+
			wordParagraph(`<w:pStyle w:val="Mine"/><w:outlineLvl w:val="1"/>`, "Second")+
			wordParagraph(fmt.Sprintf(item, 0), "one")+wordParagraph(fmt.Sprintf(item, 1), "two")+
			`<w:tbl><w:tr>`+cell("k")+cell("v")+`</w:tr><w:tr>`+cell("a")+`<w:tc>`+wordParagraph("", "b")+wordParagraph("", "c")+`<w:tbl><w:tr>`+cell("in")+cell("ner")+`</w:tr></w:tbl></w:tc></w:tr></w:tbl>`+
			`<w:p><w:r><mc:AlternateContent><mc:Choice><w:txbxContent>`+wordParagraph("", "In a box.")+`</w:txbxContent></mc:Choice><mc:Fallback><w:p>`+wordText("In a box.")+`</w:p></mc:Fallback></mc:AlternateContent></w:r>`+wordText("Around it.")+`</w:p>`),
	)
	doc, err := read(t, "a.docx", raw)
	if err != nil {
		t.Fatal(err)
	}
	want := "# First\n\nOne para&graph goes on.[^2]\n\n## Second\n\n- one\n  - two\n\nk | v\na | b c in | ner\n\nIn a box.\n\nAround it.\n\n[^2]: A note of two parts."
	if diff := cmp.Diff(want, doc.Text); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
	if doc.Title != "The Harbour" || doc.Date != "2024-03-01T09:15" || !strings.Contains(doc.MIME, "wordprocessing") {
		t.Errorf("title %q, date %q, MIME %q", doc.Title, doc.Date, doc.MIME)
	}
	if doc, err := read(t, "2024-01-02 b.docx", wordFile(t, wordBody(wordParagraph(`<w:pStyle w:val="Title"/>`, "A heading")))); err != nil || doc.Title != "A heading" || doc.Date != "2024-01-02" {
		t.Errorf("without properties: title %q, date %q, %v", doc.Title, doc.Date, err)
	}
}

func TestDOCXFilesThatFail(t *testing.T) {
	t.Parallel()
	many := make([]part, maxZipEntries+1)
	for i := range many {
		many[i].name = strconv.Itoa(i)
	}
	blanks := strings.Repeat(" ", 20<<20)
	for _, tc := range []struct{ name, raw, want string }{
		{"not an archive", "hello", "not a Word document"},
		{"truncated archive", wordFile(t, wordBody(""))[:100], "not a Word document"},
		{"with a password", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "without a password"},
		{"another archive", wordFile(t, part{"a.txt", "A"}), "word/document.xml: missing"},
		{"no text", wordFile(t, wordBody("<w:p/>")), "no text"},
		{"too many files", wordFile(t, many...), "has 10001 files"},
		{"a zip bomb", wordFile(t, wordBody(blanks)), "more than 250 times its size"},
		{"broken XML", wordFile(t, wordBody("<w:p>")), "word/document.xml: XML syntax error"},
		{"an entity bomb", wordFile(t, part{"word/document.xml", `<!DOCTYPE d [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><d>&b;</d>`}), "document type declaration"},
		{"nested elements", wordFile(t, wordBody(strings.Repeat("<w:p>", 1_000_000))), "deeper than 256"},
	} {
		_, err := read(t, "a.docx", tc.raw)
		if err == nil || !strings.HasPrefix(err.Error(), "read a.docx: ") || !strings.Contains(err.Error(), tc.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: got error %v, want one line with %q", tc.name, err, tc.want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := readDOCX(ctx, []byte(wordFile(t, wordBody(wordText("A")))), graph.Document{URI: "a.docx"}, parsing{}); err == nil {
		t.Error("cancelled context: no error")
	}
}

func TestPartsShareOneSizeLimit(t *testing.T) {
	t.Parallel()
	f := docxFile{ctx: t.Context(), left: 10}
	first := &partReader{file: &f, r: strings.NewReader("12345678"), packed: 8}
	if _, err := first.Read(make([]byte, 8)); err != nil {
		t.Error(err)
	}
	second := &partReader{file: &f, r: strings.NewReader("12345678"), packed: 8}
	if _, err := second.Read(make([]byte, 8)); err == nil {
		t.Error("16 bytes with a limit of 10: no error")
	}
}
