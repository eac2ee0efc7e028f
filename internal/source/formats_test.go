package source

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/source/parse"
)

func TestReadEPUB(t *testing.T) {
	t.Parallel()
	container := part{"META-INF/container.xml", `<container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>`}
	table := part{"OEBPS/book.opf", `<package xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata><dc:title>The Harbour</dc:title><dc:creator>Clara Hale</dc:creator><dc:date>1921-05-01</dc:date></metadata>
<manifest><item id="n" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/><item id="b" href="text/two%20b.xhtml" media-type="application/xhtml+xml"/><item id="a" href="text/one.xhtml" media-type="application/xhtml+xml"/><item id="i" href="i.png" media-type="image/png"/></manifest>
<spine><itemref idref="n"/><itemref idref="a"/><itemref idref="b"/></spine></package>`}
	doc, err := read(t, "a.epub", wordFile(t, container, table,
		part{"OEBPS/text/one.xhtml", `<html><head><title/></head><body><h1>One</h1><p>Anna sailed.</p></body></html>`},
		part{"OEBPS/text/two b.xhtml", `<html><body><p>Jonas stayed.</p></body></html>`}, part{"OEBPS/nav.xhtml", "<html><body>Contents</body></html>"},
	))
	if want := "# One\n\nAnna sailed.\n\nJonas stayed."; err != nil || doc.Text != want || doc.Title != "The Harbour" || doc.Date != "1921-05-01" || doc.Metadata["author"] != "Clara Hale" {
		t.Errorf("text %q, title %q, date %q, metadata %v, %v", doc.Text, doc.Title, doc.Date, doc.Metadata, err)
	}
	docs, failures, err := readAll(t, "a.epub", wordFile(t, container, table, part{"OEBPS/text/one.xhtml", `<p>Anna sailed.</p>`}), nil)
	if err != nil || len(docs) != 1 || docs[0].Text != "Anna sailed." || len(failures) != 1 || !strings.Contains(failures[0], "OEBPS/text/two b.xhtml: missing") {
		t.Errorf("without a page: %v, %q, %v", brief(docs), failures, err)
	}
	latin := part{"OEBPS/book.opf", "<?xml version='1.0' encoding='ISO-8859-1'?>" + strings.Replace(table.content, "Clara Hale", "Zo\xeb", 1)}
	if doc, err := read(t, "a.epub", wordFile(t, container, latin, part{"OEBPS/text/one.xhtml", "<p>A</p>"})); err != nil || doc.Metadata["author"] != "Zoë" {
		t.Errorf("a table in another encoding: %v, %v", doc.Metadata, err)
	}
	if _, err := read(t, "a.epub", wordFile(t, part{"a.txt", "A"})); err == nil || !strings.Contains(err.Error(), "not an EPUB file") {
		t.Errorf("another archive: %v", err)
	}
}

func TestReadPPTX(t *testing.T) {
	t.Parallel()
	shape := func(kind string, lines ...string) string {
		var b strings.Builder
		for _, l := range lines {
			b.WriteString("<a:p><a:r><a:t>" + l + "</a:t></a:r></a:p>")
		}
		return `<p:sp><p:nvSpPr><p:nvPr><p:ph type="` + kind + `"/></p:nvPr></p:nvSpPr><p:txBody>` + b.String() + "</p:txBody></p:sp>"
	}
	slide := func(content string) string { return `<p:sld xmlns:p="p" xmlns:a="a">` + content + "</p:sld>" }
	cell := func(s string) string {
		return "<a:tc><a:txBody><a:p><a:r><a:t>" + s + "</a:t></a:r></a:p></a:txBody></a:tc>"
	}
	doc, err := read(t, "a.pptx", wordFile(t,
		part{"ppt/presentation.xml", `<p:presentation xmlns:p="p" xmlns:r="r"><p:sldIdLst><p:sldId id="256" r:id="rId2"/><p:sldId id="257" r:id="rId1"/></p:sldIdLst></p:presentation>`},
		part{"ppt/_rels/presentation.xml.rels", "<Relationships>" + relation("rId1", "slide", "slides/slide1.xml") + relation("rId2", "slide", "slides/slide2.xml") + "</Relationships>"},
		part{"ppt/slides/slide1.xml", slide(`<p:graphicFrame><a:tbl><a:tr>` + cell("City") + cell("Ships") + `</a:tr><a:tr>` + cell("Kiel") + cell("12") + `</a:tr></a:tbl></p:graphicFrame>` + shape("sldNum", "2"))},
		part{"ppt/slides/slide2.xml", slide(shape("body", `Anna opened 10</a:t></a:r><a:r><a:rPr baseline="30000"/><a:t>6</a:t></a:r><a:r><a:t> boxes.`, "Jonas closed it.") + shape("title", "The harbour"))},
		part{"ppt/slides/_rels/slide2.xml.rels", "<Relationships>" + relation("rId1", "notesSlide", "../notesSlides/notes.xml") + "</Relationships>"},
		part{"ppt/notesSlides/notes.xml", slide(shape("body", "Speak slowly.") + shape("sldNum", "1"))},
	))
	if want := "## The harbour\n\nAnna opened 10⁶ boxes.\nJonas closed it.\n\nNotes: Speak slowly.\n\nCity | Ships\nKiel | 12"; err != nil || doc.Text != want {
		t.Errorf("%v (-want +got):\n%s", err, cmp.Diff(want, doc.Text))
	}
	if _, err := read(t, "a.pptx", "PK hello"); err == nil || !strings.Contains(err.Error(), "not a PowerPoint file") {
		t.Errorf("no archive: %v", err)
	}
}

// Slides that are not shown are left out; numbers, charts and diagrams are kept.
func TestSlideParts(t *testing.T) {
	t.Parallel()
	slide := func(properties, content string) string {
		return `<p:sld xmlns:p="p" xmlns:a="a" xmlns:c="c" xmlns:r="r" ` + properties + ">" + content + "</p:sld>"
	}
	shape := func(kind, paragraphs string) string {
		return `<p:sp><p:nvPr><p:ph type="` + kind + `"/></p:nvPr><p:txBody><a:lstStyle><a:lvl1pPr><a:buAutoNum type="arabicPlain"/></a:lvl1pPr></a:lstStyle>` + paragraphs + "</p:txBody></p:sp>"
	}
	paragraph := func(properties, s string) string {
		return "<a:p>" + properties + "<a:r><a:t>" + s + "</a:t></a:r></a:p>"
	}
	numbered := func(level, kind string) string {
		return `<a:pPr lvl="` + level + `"><a:buAutoNum type="` + kind + `" startAt="3"/></a:pPr>`
	}
	doc, err := read(t, "a.pptx", wordFile(t,
		part{"docProps/core.xml", `<c:p xmlns:c="c" xmlns:dc="d"><dc:title>PowerPoint Presentation</dc:title></c:p>`},
		part{"ppt/presentation.xml", `<p:presentation xmlns:p="p" xmlns:r="r"><p:sldId r:id="r1"/><p:sldId r:id="r2"/></p:presentation>`},
		part{"ppt/_rels/presentation.xml.rels", "<Relationships>" + relation("r1", "slide", "slides/1.xml") + relation("r2", "slide", "slides/2.xml") + "</Relationships>"},
		part{"ppt/slides/1.xml", slide(`show="0"`, shape("title", paragraph("", "Secret")))},
		part{"ppt/slides/2.xml", slide("", shape("title", paragraph("", "Sales"))+shape("body", paragraph("", "Steps")+paragraph(numbered("0", "alphaLcParenR"), "one")+paragraph(numbered("1", "romanUcPeriod"), "sub")+paragraph(numbered("0", "alphaLcParenR"), "two")+paragraph("", "Then")+paragraph(numbered("0", "arabicParenBoth"), "again"))+`<p:graphicFrame><c:chart r:id="r1"/></p:graphicFrame>`)},
		part{"ppt/slides/_rels/2.xml.rels", "<Relationships>" + relation("r1", "chart", "../charts/1.xml") + "</Relationships>"},
		part{"ppt/charts/1.xml", chartPart},
	))
	if want := "## Sales\n\nSteps\nc) one\nIII. sub\nd) two\nThen\n(3) again\n\n" + chartText; err != nil || doc.Text != want || doc.Title != "Sales" {
		t.Errorf("title %q, %v (-want +got):\n%s", doc.Title, err, cmp.Diff(want, doc.Text))
	}
}

// A chart of an office document, and its text.
const (
	chartPart = `<c:chartSpace xmlns:c="c" xmlns:a="a"><c:title><a:p><a:r><a:t>Fees</a:t></a:r></a:p></c:title><c:ser><c:tx><c:pt idx="0"><c:v>Ships</c:v></c:pt></c:tx><c:cat><c:pt idx="0"><c:v>East</c:v></c:pt><c:pt idx="1"><c:v>West</c:v></c:pt></c:cat>` +
		`<c:val><c:formatCode>General</c:formatCode><c:pt idx="1"><c:v>21.4</c:v></c:pt></c:val></c:ser><c:ser><c:xVal><c:pt idx="0"><c:v>1</c:v></c:pt></c:xVal><c:yVal><c:pt idx="0"><c:v>2</c:v></c:pt><c:pt idx="1"><c:v>3</c:v></c:pt></c:yVal></c:ser></c:chartSpace>`
	chartText = "Fees\nShips: West = 21.4\nValues: 1 = 2, 3"
)

func TestReadNotebook(t *testing.T) {
	t.Parallel()
	doc, err := read(t, "a.ipynb", `{"cells": [{"cell_type": "markdown", "source": ["# Ships\n", "Anna counts."]}, {"cell_type": "code", "source": "n = 12", "outputs": [{"text": "12"}]}, {"cell_type": "raw", "source": 3}], "metadata": {"language_info": {"name": "python"}}}`)
	if want := "# Ships\nAnna counts.\n\n```python\nn = 12\n```"; err != nil || doc.Text != want || doc.Title != "Ships" {
		t.Errorf("text %q, title %q, %v", doc.Text, doc.Title, err)
	}
	for _, raw := range []string{"hello", `{"worksheets": []}`} {
		if _, err := read(t, "a.ipynb", raw); err == nil || !strings.Contains(err.Error(), "not a notebook") {
			t.Errorf("%q: %v", raw, err)
		}
	}
}

func TestReadSubtitles(t *testing.T) {
	t.Parallel()
	for name, raw := range map[string]string{
		"a.vtt": "WEBVTT\nKind: captions\n\nNOTE a comment\n\n1\n00:00.000 --> 00:02.000 align:start\n<v Anna>We opened\nthe <i>harbour</i> &amp; the office.\n\n00:00:02.000 --> 00:00:04.000\n<v Jonas>When?\n\n00:00:04.000 --> 00:00:05.000\n<v Jonas>When?\n",
		"a.srt": "1\n00:00:00,000 --> 00:00:02,000\n{\\an8}<v Anna>We opened\nthe <b>harbour</b> & the office.\n\n2\n00:00:02,000 --> 00:00:04,000\n<v Jonas>When?\n",
	} {
		doc, err := read(t, name, raw)
		if want := "Anna: We opened the harbour & the office.\n\nJonas: When?"; err != nil || doc.Text != want {
			t.Errorf("%s: text %q, %v, want %q", name, doc.Text, err, want)
		}
	}
}

func TestMediaTypesOfNames(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{"a/b.HTML": "text/html", "a.b/c": "", "a.md": "text/markdown", "a.md.gz": "", "a.unknown": "", "": "", "a.dotm": formats[".docx"].mime, "a.potx": formats[".pptx"].mime, "a.ott": formats[".odt"].mime} {
		if got := MediaType(name); got != want {
			t.Errorf("MediaType(%q) = %q, want %q", name, got, want)
		}
	}
	for _, f := range formats {
		if got := formats[Extension(f.mime)].mime; got != f.mime {
			t.Errorf("Extension(%q) is that of %q", f.mime, got)
		}
	}
	if got := Extension("image/png"); got != "" {
		t.Errorf("Extension of a picture: %q", got)
	}
}

// FuzzPartOfArchive reads the main part of each format that is an archive, which bytes that change
// anywhere in the file would hardly reach.
func FuzzPartOfArchive(f *testing.F) {
	container := part{"META-INF/container.xml", `<container><rootfiles><rootfile full-path="b.opf"/></rootfiles></container>`}
	kinds := []struct {
		name  string
		parts func(content string) []part
		seed  string
	}{
		{"a.docx", func(s string) []part { return []part{{"word/document.xml", s}} }, wordBody(wordParagraph("", "A") + "<w:tbl><w:tr><w:tc><w:p/></w:tc></w:tr></w:tbl>").content},
		{"a.odt", func(s string) []part { return []part{{"content.xml", s}} }, `<o:text xmlns:o="o" xmlns:text="t"><text:h text:outline-level="2">A</text:h><text:list><text:list-item><text:p>one<text:s text:c="2"/></text:p></text:list-item></text:list></o:text>`},
		{"a.pptx", func(s string) []part {
			return []part{
				{"ppt/presentation.xml", `<p:presentation xmlns:p="p" xmlns:r="r"><p:sldIdLst><p:sldId r:id="rId1"/></p:sldIdLst></p:presentation>`},
				{"ppt/_rels/presentation.xml.rels", "<Relationships>" + relation("rId1", "slide", "slides/slide1.xml") + "</Relationships>"},
				{"ppt/slides/slide1.xml", s},
			}
		}, `<p:sld xmlns:p="p" xmlns:a="a"><a:tbl><a:tr><a:tc><a:p><a:r><a:t>A</a:t></a:r></a:p></a:tc></a:tr></a:tbl></p:sld>`},
		{"a.epub", func(s string) []part { return []part{container, {"b.opf", s}, {"a.xhtml", "<p>A</p>"}} }, `<package><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/></spine></package>`},
	}
	for i, k := range kinds {
		f.Add(i, k.seed)
	}
	f.Fuzz(func(t *testing.T, kind int, content string) {
		k := kinds[uint(kind)%uint(len(kinds))]
		format, _ := formatOf(k.name)
		raw := wordFile(t, k.parts(content)...)
		doc, failures, err := format.read(t.Context(), []byte(raw), graph.Document{URI: k.name, Title: "a"}, parse.Options{})
		for _, failure := range failures {
			if strings.Contains(failure.Err.Error(), "\n") {
				t.Errorf("%s: %v is not one line", k.name, failure.Err)
			}
		}
		if err == nil {
			checkDocument(t, k.name, []byte(content), doc)
		}
	})
}
