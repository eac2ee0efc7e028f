package source

import (
	"encoding/xml"
	"slices"
	"strconv"
	"strings"
)

// maxIndent is how deep an item of a list is shown to be.
const maxIndent = 8

// A docxWriter collects what the parts of a Word document say.
type docxWriter struct {
	title, created string
	heading        string            // the first of level 1
	styles         map[string]style  // by their id
	notes          map[string]string // by the name they are referred to with
	used           []string          // notes in the order of their references
	out            strings.Builder
	item           bool // the last block is an item of a list
}

// A style says how paragraphs of a kind look.
type style struct {
	level int    // as a heading, from 1; 0 for none
	base  string // the style it is made from
}

// core reads the properties of the document.
func (w *docxWriter) core() xmlHandler {
	in := ""
	return func(start *xml.StartElement, _, text string) bool {
		switch {
		case start != nil:
			in = start.Name.Local
		case text == "":
			in = ""
		case in == "title":
			w.title += text
		case in == "created":
			w.created += text
		}
		return true
	}
}

// styleSheet reads which styles are headings. Their names are English in every
// Word, their ids are not.
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

// headingLevel is the level that a name of a style stands for.
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

func outlineLevel(e *xml.StartElement) int {
	n, err := strconv.Atoi(attr(e, "val"))
	if err != nil || n < 0 || n > 5 { // 9 is body text
		return 0
	}
	return n + 1
}

// level is that of the headings in a style, its own or that of what it is made from.
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

// body reads the document itself.
func (w *docxWriter) body() xmlHandler {
	return (&docxReader{writer: w, block: w.block}).handle
}

// notesPart reads footnotes or endnotes, whose ids begin anew: a prefix tells them apart.
func (w *docxWriter) notesPart(prefix string) xmlHandler {
	var parts []string
	reader := docxReader{writer: w, block: func(text string, _ int, _ bool) { parts = append(parts, line(text)) }}
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

// block adds a paragraph, a heading of a level, an item or a table.
func (w *docxWriter) block(text string, level int, item bool) {
	if level == 1 && w.heading == "" {
		w.heading = text
	}
	if w.out.Len() > 0 {
		w.out.WriteString("\n")
		if !item || !w.item {
			w.out.WriteString("\n")
		}
	}
	if level > 0 {
		w.out.WriteString(strings.Repeat("#", level) + " ")
		text = line(text)
	}
	w.out.WriteString(text)
	w.item = item
}

// text is all of it, the notes that are referred to at the end.
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
	paragraphs []*paragraph // that are open; those in text boxes are inside others
	tables     []*docxTable // that are open; one may stand in a cell of another
	inText     bool
}

type paragraph struct {
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

func (r *docxReader) handle(start *xml.StartElement, end, text string) bool {
	switch {
	case start != nil:
		return r.start(start)
	case end != "":
		r.end(end)
	case r.inText:
		r.write(text)
	}
	return true
}

// skipped are elements whose content is said elsewhere, was deleted, or is no text.
var skipped = []string{"Fallback", "moveFrom", "del", "tabs", "pPrChange", "rPrChange", "sectPr", "instrText"}

func (r *docxReader) start(e *xml.StartElement) bool {
	name := e.Name.Local
	if slices.Contains(skipped, name) {
		return false
	}
	switch name {
	case "p":
		r.paragraphs = append(r.paragraphs, &paragraph{})
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
		r.refer(attr(e, "id"))
	case "endnoteReference":
		r.refer("e" + attr(e, "id"))
	default:
		r.property(e)
	}
	return true
}

// property reads how the open paragraph looks.
func (r *docxReader) property(e *xml.StartElement) {
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
		n, _ := strconv.Atoi(attr(e, "val")) // no number is level 0
		p.indent = max(0, min(n, maxIndent))
	}
}

func (r *docxReader) end(name string) {
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

func (r *docxReader) endParagraph(p *paragraph) {
	text := strings.TrimSpace(p.b.String())
	switch {
	case text == "":
	case len(r.tables) > 0:
		r.inCell(text)
	case p.level > 0:
		r.block(text, p.level, false)
	case p.item:
		r.block(strings.Repeat("  ", p.indent)+"- "+text, 0, true)
	default:
		r.block(text, 0, false)
	}
}

// inCell adds to the open cell, which is one line.
func (r *docxReader) inCell(text string) {
	cell := &r.tables[len(r.tables)-1].cell
	if cell.Len() > 0 {
		cell.WriteString(" ")
	}
	cell.WriteString(line(text))
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
			r.inCell(strings.Join(t.rows, "; "))
		default:
			r.block(strings.Join(t.rows, "\n"), 0, false)
		}
	}
}

func (r *docxReader) write(text string) {
	if n := len(r.paragraphs); n > 0 {
		r.paragraphs[n-1].b.WriteString(text)
	}
}

// refer marks a note where it belongs.
func (r *docxReader) refer(id string) {
	r.write("[^" + id + "]")
	r.writer.used = append(r.writer.used, id)
}
