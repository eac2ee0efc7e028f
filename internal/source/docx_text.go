package source

import (
	"encoding/xml"
	"slices"
	"strconv"
	"strings"
)

// maxIndent is the deepest level of a list that is shown as indentation.
const maxIndent = 8

// A docxWriter collects the text and the properties of a Word document.
type docxWriter struct {
	title, created string
	heading        string               // the first of level 1
	styles         map[string]docxStyle // by id
	notes          map[string]string    // by the label of their references
	used           []string             // labels in the order of their references
	out            strings.Builder
	inList         bool // the last block is a list item
}

// A docxStyle is a paragraph style.
type docxStyle struct {
	level int    // of the heading, from 1; 0 if it is not a heading
	base  string // id of the style it inherits from
}

// coreProperties handles the part that holds the title and the date.
func (w *docxWriter) coreProperties() xmlHandler {
	element := ""
	return func(start *xml.StartElement, _, text string) bool {
		switch {
		case start != nil:
			element = start.Name.Local
		case text == "":
			element = ""
		case element == "title":
			w.title += text
		case element == "created":
			w.created += text
		}
		return true
	}
}

// styleSheet handles the part that says which styles are headings. Their names are
// English in all language versions of Word, their ids are not.
func (w *docxWriter) styleSheet() xmlHandler {
	id := ""
	return func(start *xml.StartElement, _, _ string) bool {
		if start == nil {
			return true
		}
		s := w.styles[id]
		switch start.Name.Local {
		case "style":
			id = attr(start, "styleId")
			return true
		case "name":
			s.level = headingLevel(attr(start, "val"))
		case "basedOn":
			s.base = attr(start, "val")
		case "outlineLvl":
			s.level = outlineLevel(start)
		default:
			return true
		}
		w.styles[id] = s
		return true
	}
}

// headingLevel returns the level of a heading style by its name, 0 for other styles.
func headingLevel(name string) int {
	name = strings.ToLower(name)
	if name == "title" {
		return 1
	}
	n, err := strconv.Atoi(strings.TrimSpace(strings.TrimPrefix(name, "heading")))
	if err != nil || n < 1 || n > 6 || !strings.HasPrefix(name, "heading") {
		return 0
	}
	return n
}

// outlineLevel returns the level in an outlineLvl element, 0 for body text.
func outlineLevel(e *xml.StartElement) int {
	n, err := strconv.Atoi(attr(e, "val"))
	if err != nil || n < 0 || n > 5 { // 9 is body text
		return 0
	}
	return n + 1
}

// level returns the heading level of a style, which it may inherit.
func (w *docxWriter) level(id string) int {
	for range 16 {
		s, known := w.styles[id]
		if !known {
			return headingLevel(id)
		}
		if s.level > 0 || s.base == "" {
			return s.level
		}
		id = s.base
	}
	return 0
}

// body handles the main part of the document.
func (w *docxWriter) body() xmlHandler {
	return (&docxReader{writer: w, block: w.block}).handle
}

// notesPart handles the footnotes or the endnotes. Both number from the start, so a
// prefix makes their labels different.
func (w *docxWriter) notesPart(prefix string) xmlHandler {
	var parts []string
	reader := docxReader{writer: w, block: func(text string, _ int, _ bool) { parts = append(parts, cleanLine(text)) }}
	id := ""
	return func(start *xml.StartElement, end, text string) bool {
		if start != nil && (start.Name.Local == "footnote" || start.Name.Local == "endnote") {
			id, parts = prefix+attr(start, "id"), nil
		}
		more := reader.handle(start, end, text)
		if end == "footnote" || end == "endnote" {
			w.notes[id] = strings.Join(parts, " ")
		}
		return more
	}
}

// block adds a paragraph, a table, a heading (level > 0) or a list item.
func (w *docxWriter) block(text string, level int, item bool) {
	if level == 1 && w.heading == "" {
		w.heading = text
	}
	if w.out.Len() > 0 {
		w.out.WriteString("\n")
		if !item || !w.inList {
			w.out.WriteString("\n")
		}
	}
	if level > 0 {
		w.out.WriteString(strings.Repeat("#", level) + " ")
		text = cleanLine(text)
	}
	w.out.WriteString(text)
	w.inList = item
}

// text returns the whole text, with the referenced notes at the end.
func (w *docxWriter) text() string {
	for _, id := range w.used {
		if note := w.notes[id]; note != "" {
			w.block("[^"+id+"]: "+note, 0, false)
			w.notes[id] = ""
		}
	}
	return w.out.String()
}

// A docxReader turns elements into blocks.
type docxReader struct {
	writer     *docxWriter
	block      func(text string, level int, item bool)
	paragraphs []*docxParagraph // the open ones; a text box nests them
	tables     []*docxTable     // the open ones; cells can contain tables
	inText     bool
}

type docxParagraph struct {
	b      strings.Builder
	level  int
	item   bool
	indent int
}

type docxTable struct {
	rows  []string
	cells []string
	cell  strings.Builder
}

// handle is an xmlHandler.
func (r *docxReader) handle(start *xml.StartElement, end, text string) bool {
	switch {
	case start != nil:
		return r.startElement(start)
	case end != "":
		r.endElement(end)
	case r.inText:
		r.write(text)
	}
	return true
}

// skippedElements have content that is repeated elsewhere, was deleted, or is not
// text.
var skippedElements = []string{"Fallback", "moveFrom", "del", "tabs", "pPrChange", "rPrChange", "sectPr", "instrText"}

// startElement returns false for an element to skip.
func (r *docxReader) startElement(e *xml.StartElement) bool {
	name := e.Name.Local
	if slices.Contains(skippedElements, name) {
		return false
	}
	switch name {
	case "p":
		r.paragraphs = append(r.paragraphs, &docxParagraph{})
	case "tbl":
		r.tables = append(r.tables, &docxTable{})
	case "t":
		r.inText = true
	case "tab":
		r.write(" ")
	case "br", "cr":
		r.write("\n")
	case "noBreakHyphen":
		r.write("-")
	case "footnoteReference":
		r.addReference(attr(e, "id"))
	case "endnoteReference":
		r.addReference("e" + attr(e, "id"))
	default:
		r.setProperty(e)
	}
	return true
}

// setProperty sets a property of the open paragraph.
func (r *docxReader) setProperty(e *xml.StartElement) {
	if len(r.paragraphs) == 0 {
		return
	}
	p := r.paragraphs[len(r.paragraphs)-1]
	switch e.Name.Local {
	case "pStyle":
		p.level = r.writer.level(attr(e, "val"))
		p.item = p.item || strings.HasPrefix(attr(e, "val"), "List")
	case "outlineLvl":
		p.level = outlineLevel(e)
	case "numId":
		p.item = attr(e, "val") != "0"
	case "ilvl":
		n, _ := strconv.Atoi(attr(e, "val")) // an invalid level is 0
		p.indent = max(0, min(n, maxIndent))
	}
}

func (r *docxReader) endElement(name string) {
	switch name {
	case "t":
		r.inText = false
	case "p":
		if n := len(r.paragraphs); n > 0 {
			p := r.paragraphs[n-1]
			r.paragraphs = r.paragraphs[:n-1]
			r.endParagraph(p)
		}
	case "tc", "tr", "tbl":
		if n := len(r.tables); n > 0 {
			r.endTable(name, r.tables[n-1])
		}
	}
}

func (r *docxReader) endParagraph(p *docxParagraph) {
	text := strings.TrimSpace(p.b.String())
	switch {
	case text == "":
	case len(r.tables) > 0:
		r.addToCell(text)
	case p.level > 0:
		r.block(text, p.level, false)
	case p.item:
		r.block(strings.Repeat("  ", p.indent)+"- "+text, 0, true)
	default:
		r.block(text, 0, false)
	}
}

// addToCell appends to the open cell, which is one line.
func (r *docxReader) addToCell(text string) {
	cell := &r.tables[len(r.tables)-1].cell
	if cell.Len() > 0 {
		cell.WriteString(" ")
	}
	cell.WriteString(cleanLine(text))
}

func (r *docxReader) endTable(name string, t *docxTable) {
	switch name {
	case "tc":
		t.cells = append(t.cells, t.cell.String())
		t.cell.Reset()
	case "tr":
		if row := strings.Join(t.cells, " | "); strings.Trim(row, " |") != "" {
			t.rows = append(t.rows, row)
		}
		t.cells = nil
	case "tbl":
		r.tables = r.tables[:len(r.tables)-1]
		switch {
		case len(t.rows) == 0:
		case len(r.tables) > 0:
			r.addToCell(strings.Join(t.rows, "; "))
		default:
			r.block(strings.Join(t.rows, "\n"), 0, false)
		}
	}
}

// write appends to the open paragraph. Text outside paragraphs is dropped.
func (r *docxReader) write(text string) {
	if n := len(r.paragraphs); n > 0 {
		r.paragraphs[n-1].b.WriteString(text)
	}
}

// addReference writes a reference to a note.
func (r *docxReader) addReference(label string) {
	r.write("[^" + label + "]")
	r.writer.used = append(r.writer.used, label)
}
