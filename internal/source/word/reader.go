package word

import (
	"cmp"
	"encoding/xml"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/source/office"
	"github.com/neorag/neorag/internal/source/plain"
)

// A docxReader turns elements into blocks.
type docxReader struct {
	writer     *docxWriter
	block      func(text string, level int, item bool)
	paragraphs []*docxParagraph // the open ones; a text box nests them
	tables     plain.Tables
	math       []docxMath // the open parts of formulas
	mathEnd    int        // where the last formula ends in its paragraph
	nameEnd    int        // where the name of the last function ends in its paragraph
	run        docxRun
	fields     docxFields
	inText     bool
	properties string         // the element of properties of a row or paragraph that is open
	joined     *docxParagraph // it is joined to the next one
}

type docxParagraph struct {
	plain.Line

	level  int
	hidden bool   // by its style
	list   string // id of the list that it is in, or ""
	item   bool
	indent int
	drop   bool // it is the large first letter of the next one
	joins  bool // its end is deleted, which joins it to the next one
}

// A docxRun is the properties of the open run.
type docxRun struct {
	hidden bool
	script plain.Script
	font   string
}

func (r *docxReader) handle(start *xml.StartElement, end, text string) bool {
	switch {
	case start != nil:
		return r.startElement(start)
	case end != "":
		r.endElement(end)
	case r.inText && !r.run.hidden && !r.fields.inInstruction():
		r.writeScript(plain.SymbolRun(r.run.font, text), r.run.script)
	}
	return true
}

// skippedElements have content that is repeated elsewhere, was deleted, or is not
// text.
var skippedElements = []string{"Fallback", "moveFrom", "del", "tabs", "pPrChange", "rPrChange", "sectPr", "instrText", "rt"}

// startElement returns false for an element to skip.
func (r *docxReader) startElement(e *xml.StartElement) bool {
	name := e.Name.Local
	if name == "del" {
		r.markDeleted()
	}
	if slices.Contains(skippedElements, name) {
		return false
	}
	if strings.HasSuffix(e.Name.Space, "/math") {
		r.startMath(name, office.Attr(e, "val"))
	}
	switch name {
	case "p":
		p := &docxParagraph{}
		r.mathEnd, r.nameEnd = 0, 0
		if r.joined != nil {
			p.Line, r.joined = r.joined.Line, nil
		}
		r.paragraphs = append(r.paragraphs, p)
	case "trPr", "pPr":
		r.properties = name
	case "tbl":
		r.endJoined()
		r.tables.Start()
	case "r":
		r.run = docxRun{}
	case "t":
		r.inText = true
	case "tab":
		r.write(" ")
	case "br", "cr":
		r.write("\n")
	case "noBreakHyphen":
		r.write("-")
	case "sym":
		r.write(symbolText(e))
	case "footnoteReference":
		r.addReference(office.Attr(e, "id"))
	case "endnoteReference":
		r.addReference("e" + office.Attr(e, "id"))
	case "commentReference":
		r.addReference("c" + office.Attr(e, "id"))
	case "chart", "relIds":
		if graphic := office.GraphicText(r.writer.file, r.writer.parts.Targets, e); graphic != "" {
			r.write("\n" + graphic + "\n")
		}
	case "altChunk":
		r.addPart(r.writer.parts.Targets[office.Attr(e, "id")])
	default:
		r.setProperty(e)
	}
	return true
}

// setProperty sets a property of the open run, cell or paragraph, or of a field.
func (r *docxReader) setProperty(e *xml.StartElement) {
	switch e.Name.Local {
	case "vanish":
		r.run.hidden = isOn(e)
	case "vertAlign":
		r.run.script = plain.ScriptOf(office.Attr(e, "val"))
	case "position":
		r.run.script = cmp.Or(plain.ScriptOf(office.Attr(e, "val")), r.run.script)
	case "rStyle":
		style := r.writer.style(office.Attr(e, "val"))
		r.run = docxRun{hidden: style.hidden, script: style.script}
	case "gridSpan", "gridBefore", "vMerge", "hidden":
		if t := r.tables.Current(); t != nil {
			setCellProperty(t, e)
		}
	case "rFonts":
		r.run.font = cmp.Or(office.Attr(e, "ascii"), office.Attr(e, "hAnsi"))
	case "fldChar":
		r.fields.mark(office.Attr(e, "fldCharType"))
	case "ddList", "result", "listEntry", "checkBox", "default", "checked":
		r.fields.setProperty(e)
	default:
		if n := len(r.paragraphs); n > 0 {
			r.paragraphs[n-1].setProperty(e, r.writer)
		}
	}
}

func (p *docxParagraph) setProperty(e *xml.StartElement, w *docxWriter) {
	switch e.Name.Local {
	case "pStyle":
		style := w.style(office.Attr(e, "val"))
		p.level, p.hidden = style.level, style.hidden
		p.item = p.item || strings.HasPrefix(office.Attr(e, "val"), "List")
		if p.list == "" {
			p.list, p.indent = style.list, style.indent-1
			if style.indent == 0 {
				p.indent = w.numbering.levels[numberedStyle{w.numbering.list(style.list), office.Attr(e, "val")}]
			}
		}
	case "framePr":
		drop := office.Attr(e, "dropCap")
		p.drop = drop == "drop" || drop == "margin"
	case "outlineLvl":
		p.level = outlineLevel(e)
	case "numId":
		p.list = office.Attr(e, "val")
	case "ilvl":
		p.indent = indentOf(e)
	}
}

func (r *docxReader) endElement(name string) {
	switch name {
	case "t":
		r.inText = false
	case "trPr", "pPr":
		r.properties = ""
	case "body", "txbxContent", "hdr", "ftr", "footnote", "endnote", "comment":
		r.endJoined()
	case "r":
		r.run = docxRun{}
	case "ddList", "checkBox":
		r.write(r.fields.value())
	case "p":
		if n := len(r.paragraphs); n > 0 {
			p := r.paragraphs[n-1]
			r.paragraphs = r.paragraphs[:n-1]
			r.endParagraph(p)
		}
	case "tc", "tr", "tbl":
		r.endJoined()
		if t := r.tables.Current(); t != nil {
			r.endTable(name, t)
		}
	default:
		r.endMath(name)
	}
}

// markDeleted notes that the open row, or the end of the open paragraph, is deleted.
func (r *docxReader) markDeleted() {
	if t := r.tables.Current(); t != nil && r.properties == "trPr" {
		t.Gone = true
	}
	if n := len(r.paragraphs); n > 0 && r.properties == "pPr" {
		r.paragraphs[n-1].joins = true
	}
}

// endJoined ends a paragraph that no other follows which it could be joined to.
func (r *docxReader) endJoined() {
	if p := r.joined; p != nil {
		r.joined = nil
		r.endParagraph(p)
	}
}

func (r *docxReader) endParagraph(p *docxParagraph) {
	written := strings.TrimSpace(string(p.Bytes))
	switch {
	case written == "" || p.hidden:
		return
	case p.drop:
		p.Bytes = []byte(written)
		fallthrough
	case p.joins:
		r.joined = p
		p.drop, p.joins = false, false
		return
	}
	number := ""
	if p.list != "" && p.list != "0" {
		number = r.writer.numbering.next(p.list, p.indent)
		p.item = true
	}
	switch {
	case r.tables.Current() != nil:
		r.tables.Current().Add(strings.TrimSpace(number + " " + written))
	case p.level > 0:
		r.block(strings.TrimSpace(number+" "+written), p.level, false)
	case number != "":
		r.block(strings.Repeat("  ", p.indent)+number+" "+written, 0, true)
	case p.item:
		r.block(strings.Repeat("  ", p.indent)+"- "+written, 0, true)
	default:
		r.block(written, 0, false)
	}
}

// write appends to the open paragraph. Text outside paragraphs is dropped.
func (r *docxReader) write(s string) { r.writeScript(s, plain.OnLine) }

func (r *docxReader) writeScript(s string, as plain.Script) {
	if n := len(r.paragraphs); n > 0 {
		r.paragraphs[n-1].WriteScript(s, as)
	}
}

// addReference writes a reference to a note.
func (r *docxReader) addReference(label string) {
	if r.writer.notes[label] == "" {
		return
	}
	r.write("[^" + label + "]")
	r.writer.used = append(r.writer.used, label)
}
