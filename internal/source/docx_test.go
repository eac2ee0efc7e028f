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
	"github.com/neorag/neorag/internal/source/parse"
	"github.com/neorag/neorag/internal/source/word"
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
	want := "# First\n\nOne para&graph goes on.[^2]\n\n## Second\n\n- one\n  - two\n\nk | v\na | b c in, ner\n\nIn a box.\n\nAround it.\n\n[^2]: A note of two parts."
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
	many := make([]part, 10_001)
	for i := range many {
		many[i].name = strconv.Itoa(i)
	}
	blanks := strings.Repeat(" ", 20<<20)
	for _, tc := range []struct{ name, raw, want string }{
		{"not an archive", "hello", "not a Word document"},
		{"truncated archive", wordFile(t, wordBody(""))[:100], "not a Word document"},
		{"with a password", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "without a password"},
		{"another archive", wordFile(t, part{"a.txt", "A"}), "not a Word document"},
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
	if _, _, err := word.Read(ctx, []byte(wordFile(t, wordBody(wordText("A")))), graph.Document{URI: "a.docx"}, parse.Options{}); err == nil {
		t.Error("cancelled context: no error")
	}
}

const relationships = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"

func relation(id, kind, target string) string {
	return fmt.Sprintf(`<Relationship Id=%q Type=%q Target=%q/>`, id, relationships+kind, target)
}

func TestWordText(t *testing.T) {
	t.Parallel()
	run := func(properties, s string) string {
		return "<w:r><w:rPr>" + properties + "</w:rPr><w:t>" + s + "</w:t></w:r>"
	}
	script := func(kind, s string) string { return run(`<w:vertAlign w:val="`+kind+`"/>`, s) }
	cell := func(properties, s string) string {
		return "<w:tc><w:tcPr>" + properties + "</w:tcPr>" + wordParagraph("", s) + "</w:tc>"
	}
	field := func(kind string) string { return `<w:r><w:fldChar w:fldCharType="` + kind + `"/></w:r>` }
	check := func(properties string) string {
		return `<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:checkBox>` + properties + `</w:checkBox></w:ffData></w:fldChar></w:r>` + field("separate") + field("end")
	}
	styles := part{"word/styles.xml", `<w:styles xmlns:w="w"><w:style w:type="character" w:styleId="Hid"><w:rPr><w:vanish/></w:rPr></w:style><w:style w:type="character" w:styleId="Sup"><w:rPr><w:vertAlign w:val="superscript"/></w:rPr></w:style></w:styles>`}
	term := func(s string) string { return "<m:e><m:r><m:t>" + s + "</m:t></m:r></m:e>" }
	math := func(s string) string {
		return `<m:oMath xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math">` + s + `</m:oMath>`
	}
	for _, tc := range []struct{ name, body, want string }{
		{"raised and lowered digits", "<w:p>" + wordText("10") + script("superscript", "6") + wordText(" litres, CO") + script("subscript", "2") + wordText(", log") + script("subscript", "2") + wordText("8, the 1") + script("superscript", "st") + "</w:p>", "10⁶ litres, CO2, log₂8, the 1st"},
		{"raised digits by height", "<w:p>" + wordText("20") + run(`<w:position w:val="8"/>`, "3") + wordText(" euro") + "</w:p>", "20³ euro"},
		{"brackets and sums", "<w:p>" + math(`<m:r><m:t>f</m:t></m:r><m:d><m:e><m:r><m:t>x</m:t></m:r></m:e></m:d><m:r><m:t>=</m:t></m:r><m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:sub><m:r><m:t>1</m:t></m:r></m:sub><m:sup><m:r><m:t>n</m:t></m:r></m:sup><m:e><m:r><m:t>k</m:t></m:r></m:e></m:nary><m:nary><m:naryPr/><m:e><m:d><m:dPr><m:begChr m:val="|"/><m:endChr m:val="|"/></m:dPr><m:e><m:r><m:t>y</m:t></m:r></m:e></m:d></m:e></m:nary>`) + "</w:p>", "f(x)=∑₁^nk∫|y|"},
		{"terms with separators, cases and matrices", "<w:p>" + wordText("f") + math(`<m:d><m:dPr><m:sepChr m:val=","/></m:dPr>`+term("1")+term("2")+`</m:d>`) + wordText(", ") + math(`<m:d><m:dPr><m:begChr m:val="{"/><m:endChr m:val=""/></m:dPr><m:e><m:eqArr>`+term("x=1")+term("y=2")+`</m:eqArr></m:e></m:d>`) +
			wordText(", ") + math(`<m:d><m:e><m:m><m:mr>`+term("1")+term("2")+`</m:mr><m:mr>`+term("3")+`<m:e><m:sSup>`+term("x")+`<m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup></m:e></m:mr></m:m></m:e></m:d>`) + "</w:p>", "f(1,2), {x=1; y=2, (1, 2; 3, x²)"},
		{"functions, and formulas after each other", "<w:p>" + math(`<m:func><m:fName><m:r><m:t>log</m:t></m:r></m:fName><m:e><m:d>`+term("x")+`</m:d></m:e></m:func>`) + math(`<m:r><m:t>c=d</m:t></m:r>`) + wordText("e") + math(`<m:r><m:t>f</m:t></m:r>`) + "</w:p>", "log(x) c=def"},
		{"roots, limits and mixed numbers", "<w:p>" + math(`<m:rad><m:deg><m:r><m:t>3</m:t></m:r></m:deg>`+term("8")+`</m:rad>`) + wordText(", ") + math(`<m:func><m:fName><m:limLow>`+term("lim")+`<m:lim><m:r><m:t>n→∞</m:t></m:r></m:lim></m:limLow></m:fName>`+term("n")+`</m:func>`) + wordText(", 3") + math(`<m:f><m:num><m:r><m:t>1</m:t></m:r></m:num><m:den><m:r><m:t>2</m:t></m:r></m:den></m:f>`) + "</w:p>", "³√8, lim_(n→∞) n, 3 1/2"},
		{"fractions and powers", "<w:p>" + wordText("Half is ") + math(`<m:f><m:num><m:r><m:t>1</m:t></m:r></m:num><m:den><m:r><m:t>2</m:t></m:r></m:den></m:f>`) + wordText(", a square ") + math(`<m:sSup><m:e><m:r><m:t>x</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup><m:f><m:num><m:r><m:t>a+b</m:t></m:r></m:num><m:den><m:r><m:t>c</m:t></m:r></m:den></m:f>`) + "</w:p>", "Half is 1/2, a square x²(a+b)/c"},
		{"symbols", `<w:p><w:r><w:t>Accepted </w:t><w:sym w:font="Wingdings" w:char="F0FE"/><w:t> angle </w:t><w:sym w:font="Symbol" w:char="F061"/></w:r></w:p>`, "Accepted ☑ angle α"},
		{"a list field", `<w:p>` + wordText("Choice: ") + `<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:ddList><w:result w:val="1"/><w:listEntry w:val="A"/><w:listEntry w:val="B"/></w:ddList></w:ffData></w:fldChar></w:r></w:p>`, "Choice: B"},
		{"check boxes", `<w:p>` + check(`<w:default w:val="0"/><w:checked/>`) + wordText(" yes ") + check(`<w:default w:val="0"/>`) + wordText(" no ") + check(`<w:default w:val="1"/>`) + wordText(" both ") + check(`<w:default w:val="1"/><w:checked w:val="0"/>`) + wordText(" none") + `</w:p>`, "☑ yes ☐ no ☑ both ☐ none"},
		{"a field in a field", `<w:p>` + wordText("If ") + field("begin") + field("begin") + field("separate") + wordText("INNER") + field("end") + field("separate") + wordText("yes") + field("end") + field("end") + wordText(".") + `</w:p>`, "If yes."},
		{"large first letters", wordParagraph(`<w:framePr w:dropCap="drop"/>`, "A ") + wordParagraph("", "nna Berg.") + wordParagraph(`<w:framePr w:dropCap="margin"/>`, "B"), "Anna Berg.\n\nB"},
		{"a deleted end of a paragraph", wordParagraph(`<w:rPr><w:del/></w:rPr>`, "Joined ") + wordParagraph("", "to this.") + wordParagraph(`<w:rPr><w:del/></w:rPr>`, "Alone.") + "<w:tbl><w:tr>" + cell("", "x") + "</w:tr></w:tbl>", "Joined to this.\n\nAlone.\n\nx"},
		{"runs in symbol fonts", "<w:p>" + run(`<w:rFonts w:ascii="Symbol"/>`, "\uf061\uf0a3\uf031") + wordText(" and ") + run(`<w:rFonts w:hAnsi="Wingdings"/>`, "\uf0fe\uf0a8\uf04a") + run(`<w:rFonts w:ascii="Symbol"/>`, " abc") + "</w:p>", "α≤1 and ☑☐ αβχ"},
		{"hidden character styles", "<w:p>" + run(`<w:rStyle w:val="Hid"/>`, "secret") + run(`<w:rStyle w:val="Hid"/><w:vanish w:val="0"/>`, "10") + run(`<w:rStyle w:val="Sup"/>`, "6") + "</w:p>", "10⁶"},
		{"hidden text", "<w:p>" + wordText("Visible.") + run("<w:vanish/>", "Hidden.") + run(`<w:vanish w:val="0"/>`, " Shown.") + "</w:p>", "Visible. Shown."},
		{"readings of characters", "<w:p><w:r><w:ruby><w:rt><w:r><w:t>とうきょう</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>東京</w:t></w:r></w:rubyBase></w:ruby></w:r>" + wordText("に住む。") + "</w:p>", "東京に住む。"},
		{"cells that span columns and rows", "<w:tbl><w:tr>" + cell("", "Name") + cell("", "Year") + cell("", "Sum") + "</w:tr><w:tr>" + cell(`<w:vMerge w:val="restart"/>`, "Anna") + cell("", "2020") + cell("", "20") + "</w:tr><w:tr>" + cell(`<w:vMerge/>`, "") + cell("", "2021") + cell("", "2") + "</w:tr><w:tr>" + cell(`<w:gridSpan w:val="2"/>`, "Total") + cell("", "22") + "</w:tr></w:tbl>", "Name | Year | Sum\nAnna | 2020 | 20\nAnna | 2021 | 2\nTotal |  | 22"},
		{"tables in cells, and rows that are deleted, hidden or begin later", "<w:tbl><w:tr>" + cell("", "Item") + cell("", "a|b") + "</w:tr><w:tr>" + cell("", "A") + "<w:tc><w:tbl><w:tr>" + cell("", "i1") + cell("", "i2") + "</w:tr><w:tr>" + cell("", "i3") + cell("", "i4") + "</w:tr></w:tbl><w:p/></w:tc></w:tr>" +
			`<w:tr><w:trPr><w:del/></w:trPr>` + cell("", "gone") + `</w:tr><w:tr><w:trPr><w:hidden/></w:trPr>` + cell("", "gone") + `</w:tr><w:tr><w:trPr><w:gridBefore w:val="1"/></w:trPr>` + cell("", "5") + "</w:tr></w:tbl>", "Item | a\\|b\nA | i1, i2; i3, i4\n | 5"},
	} {
		doc, err := read(t, "a.docx", wordFile(t, wordBody(tc.body), styles))
		if err != nil || doc.Text != tc.want {
			t.Errorf("%s: text %q, %v, want %q", tc.name, doc.Text, err, tc.want)
		}
	}
}

// TestWordParts reads a document whose parts have unusual names, with all kinds of them.
func TestWordParts(t *testing.T) {
	t.Parallel()
	numbered := func(level, style, s string) string {
		return wordParagraph(style+`<w:numPr><w:ilvl w:val="`+level+`"/><w:numId w:val="7"/></w:numPr>`, s)
	}
	level := func(n, format, text string) string {
		return fmt.Sprintf(`<w:lvl w:ilvl=%q><w:start w:val="1"/><w:numFmt w:val=%q/><w:lvlText w:val=%q/></w:lvl>`, n, format, text)
	}
	main := wordBody(numbered("0", `<w:pStyle w:val="Heading1"/>`, "Terms") + numbered("1", "", "The buyer pays.") + numbered("1", "", "The seller ships.") + numbered("2", "", "By sea.") +
		numbered("0", `<w:pStyle w:val="Heading1"/>`, "Law") + `<w:p>` + wordText("See section 1.2.") + `<w:r><w:commentReference w:id="3"/></w:r></w:p><w:altChunk r:id="rId9"/>`)
	raw := wordFile(t,
		part{`_rels\.rels`, "<Relationships>" + relation("rId1", "officeDocument", `word\document2.xml`) + "</Relationships>"},
		part{"word/_rels/document2.xml.rels", "<Relationships>" + relation("rId1", "numbering", "lists.xml") + relation("rId2", "header", "/word/top.xml") + relation("rId3", "header", "top2.xml") + relation("rId4", "footer", "bottom.xml") + relation("rId5", "comments", "remarks.xml") + relation("rId9", "aFChunk", "chunk.htm") + "</Relationships>"},
		part{`word\document2.xml`, main.content},
		part{"word/lists.xml", `<w:numbering xmlns:w="w"><w:abstractNum w:abstractNumId="4">` + level("0", "upperRoman", "%1.") + level("1", "decimal", "%1.%2") + level("2", "lowerLetter", "(%3)") + `</w:abstractNum><w:num w:numId="7"><w:abstractNumId w:val="4"/></w:num></w:numbering>`},
		part{"word/top.xml", `<w:hdr xmlns:w="w">` + wordParagraph("", "Contract 17") + `</w:hdr>`},
		part{"word/top2.xml", `<w:hdr xmlns:w="w">` + wordParagraph("", "Contract 17") + `</w:hdr>`},
		part{"word/bottom.xml", `<w:ftr xmlns:w="w">` + wordParagraph("", "Page 1 of 3") + `</w:ftr>`},
		part{"word/remarks.xml", `<w:comments xmlns:w="w"><w:comment w:id="3" w:author="Anna Berg">` + wordParagraph("", "Is this right?") + `</w:comment></w:comments>`},
		part{"word/chunk.htm", "<p>The buyer is Northwind GmbH.</p>"},
	)
	doc, err := read(t, "a.docx", raw)
	want := "Contract 17\n\n# I. Terms\n\n  I.1 The buyer pays.\n  I.2 The seller ships.\n    (a) By sea.\n\n# II. Law\n\nSee section 1.2.[^c3]\n\nThe buyer is Northwind GmbH.\n\n[^c3]: Comment of Anna Berg: Is this right?"
	if diff := cmp.Diff(want, doc.Text); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

// Numbers are shown as Word shows them, and levels come from styles where paragraphs have none.
func TestWordNumbers(t *testing.T) {
	t.Parallel()
	level := func(n int, format, text, more string) string {
		return fmt.Sprintf(`<w:lvl w:ilvl="%d"><w:start w:val="1"/><w:numFmt w:val=%q/>%s<w:lvlText w:val=%q/></w:lvl>`, n, format, more, text)
	}
	style := func(name, base, properties string) string {
		return `<w:style w:type="paragraph" w:styleId="` + name + `"><w:name w:val="` + name + `"/><w:basedOn w:val="` + base + `"/><w:pPr><w:numPr>` + properties + `</w:numPr></w:pPr></w:style>`
	}
	styled := func(name, s string) string { return wordParagraph(`<w:pStyle w:val="`+name+`"/>`, s) }
	number := func(level int, s string) string {
		return wordParagraph(fmt.Sprintf(`<w:numPr><w:ilvl w:val="%d"/><w:numId w:val="1"/></w:numPr>`, level), s)
	}
	const first = `<w:numId w:val="1"/>`
	for _, tc := range []struct{ name, levels, styles, body, want string }{
		{"a level in a style", level(0, "upperRoman", "%1.", "") + level(1, "decimal", "%1.%2", ""), style("Clause", "", first) + style("Sub", "Clause", `<w:ilvl w:val="1"/>`), styled("Clause", "a") + styled("Sub", "b") + styled("Clause", "c"), "I. a\n  I.1 b\nII. c"},
		{"a style in a level", level(0, "decimal", "%1.", `<w:pStyle w:val="Clause"/>`) + level(1, "decimal", "%1.%2", `<w:pStyle w:val="Sub"/>`), style("Clause", "", first) + style("Sub", "", first), styled("Clause", "a") + styled("Sub", "b") + styled("Sub", "c"), "1. a\n  1.1 b\n  1.2 c"},
		{"a numbering style", level(0, "upperLetter", "%1)", ""), "", wordParagraph(`<w:numPr><w:ilvl w:val="0"/><w:numId w:val="2"/></w:numPr>`, "a"), "A) a"},
		{"digits after Roman numbers", level(0, "upperRoman", "%1.", "") + level(1, "decimal", "%1.%2", `<w:isLgl/>`), "", number(0, "a") + number(1, "b"), "I. a\n  1.1 b"},
		{"a level that counts on", level(0, "decimal", "%1", "") + level(1, "decimal", "%1.%2", `<w:lvlRestart w:val="0"/>`), "", number(0, "a") + number(1, "b") + number(0, "c") + number(1, "d"), "1 a\n  1.1 b\n2 c\n  2.2 d"},
	} {
		doc, err := read(t, "a.docx", wordFile(t, wordBody(tc.body), part{"word/styles.xml", `<w:styles xmlns:w="w">` + tc.styles + `</w:styles>`},
			part{"word/numbering.xml", `<w:numbering xmlns:w="w"><w:abstractNum w:abstractNumId="0"><w:styleLink w:val="LS"/>` + tc.levels + `</w:abstractNum><w:abstractNum w:abstractNumId="1"><w:numStyleLink w:val="LS"/></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num></w:numbering>`}))
		if err != nil || doc.Text != tc.want {
			t.Errorf("%s: text %q, %v, want %q", tc.name, doc.Text, err, tc.want)
		}
	}
}

func TestWordGraphics(t *testing.T) {
	t.Parallel()
	doc, err := read(t, "a.docx", wordFile(t,
		wordBody(wordParagraph("", "Before.")+`<w:p><w:r><w:drawing><c:chart r:id="r1"/><d:relIds r:dm="r2"/><c:chart r:id="r3"/></w:drawing></w:r></w:p>`),
		part{"word/_rels/document.xml.rels", "<Relationships>" + relation("r1", "chart", "charts/1.xml") + relation("r2", "diagramData", "diagrams/1.xml") + relation("r3", "chart", "charts/broken.xml") + "</Relationships>"},
		part{"word/charts/1.xml", chartPart}, part{"word/charts/broken.xml", "<c:chart>"},
		part{"word/diagrams/1.xml", `<d:pt><d:t><a:p><a:r><a:t>Anna </a:t></a:r><a:r><a:t>leads.</a:t></a:r></a:p></d:t></d:pt>`},
	))
	if want := "Before.\n\n" + chartText + "\n\nAnna leads."; err != nil || doc.Text != want {
		t.Errorf("%v (-want +got):\n%s", err, cmp.Diff(want, doc.Text))
	}
}

// A second list of the same kind begins again where the file says so.
func TestListsBeginAgain(t *testing.T) {
	t.Parallel()
	item := func(list, text string) string {
		return wordParagraph(`<w:numPr><w:ilvl w:val="0"/><w:numId w:val="`+list+`"/></w:numPr>`, text)
	}
	doc, err := read(t, "a.docx", wordFile(t,
		wordBody(item("1", "one")+item("1", "two")+wordParagraph("", "Again:")+item("2", "first")+item("2", "second")+item("1", "third")),
		part{"word/numbering.xml", `<w:numbering xmlns:w="w"><w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl></w:abstractNum>` +
			`<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride></w:num></w:numbering>`}))
	want := "1. one\n2. two\n\nAgain:\n\n1. first\n2. second\n3. third"
	if diff := cmp.Diff(want, doc.Text); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}
