package odt

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/neorag/neorag/internal/source/decode"
	"github.com/neorag/neorag/internal/source/office"
	"github.com/neorag/neorag/internal/source/plain"
)

const (
	// maxRepeated is how many cells, or spaces, an element of an OpenDocument file may be.
	maxRepeated = 100
	// dublinCore is in the name space of properties of documents and comments.
	dublinCore = "purl.org/dc/"
)

// An odtReader collects the blocks of an OpenDocument text.
type odtReader struct {
	styles          *odtStyles
	blocks          []string
	notes, comments []string
	labels          map[string]int  // how many notes, and comments, have begun
	title           string          // the first heading of level 1
	paragraphs      []*odtParagraph // the open ones; notes and boxes nest them
	lists           []string        // names of the styles of the open lists
	item            odtItem
	items           []string // of the open list
	tables          plain.Tables
	open            []*odtNote // the open notes and comments
}

type odtParagraph struct {
	plain.Line

	level  int    // of the heading, from 1; 0 if it is not one
	list   string // the list style of its style
	hidden bool
	spans  []plain.Script // of the open spans
	from   int            // the number that it has, or CountOn
	plain  bool           // it has no number
	author bool           // it is the name of a comment's author
}

// An odtNote is a note or a comment.
type odtNote struct {
	label, by string
	parts     []string
}

// odtSkipped are elements whose text is not shown: deletions, and the numbers of notes, which are
// counted again.
var odtSkipped = []string{"tracked-changes", "note-citation", "sequence-decls", "ruby-text", "desc", "title", "creator-initials"}

// odtSpaces replaces the characters that are shown as a space.
var odtSpaces = strings.NewReplacer("\n", " ", "\t", " ")

func (r *odtReader) handle(start *xml.StartElement, end, text string) bool {
	switch {
	case start != nil:
		if slices.Contains(odtSkipped, start.Name.Local) || r.isHidden(start) {
			return false
		}
		r.start(start)
	case end != "":
		r.end(end)
	default:
		r.write(odtSpaces.Replace(text))
	}
	return true
}

// isHidden reports whether an element is not shown.
func (r *odtReader) isHidden(e *xml.StartElement) bool {
	switch e.Name.Local {
	case "p", "h", "span":
		return r.styles.of(e).hidden
	case "hidden-text":
		return office.Attr(e, "is-hidden") == "true"
	case "section":
		return office.Attr(e, "display") == "none" || office.Attr(e, "is-hidden") == "true"
	case "table-row":
		return office.Attr(e, "visibility") == "collapse" || office.Attr(e, "visibility") == "filter"
	case "date":
		return strings.Contains(e.Name.Space, dublinCore) // of a comment
	}
	return false
}

func (r *odtReader) start(e *xml.StartElement) {
	switch e.Name.Local {
	case "p", "h":
		r.paragraphs = append(r.paragraphs, newODTParagraph(e, r.styles.of(e)))
	case "creator":
		if n := len(r.open); n > 0 && strings.Contains(e.Name.Space, dublinCore) {
			r.paragraphs = append(r.paragraphs, &odtParagraph{author: true})
		}
	case "span":
		if p := r.paragraph(); p != nil {
			p.spans = append(p.spans, cmp.Or(r.styles.of(e).script, p.script()))
		}
	case "hidden-paragraph":
		if p := r.paragraph(); p != nil {
			p.hidden = p.hidden || office.Attr(e, "is-hidden") == "true"
		}
	case "s":
		r.write(strings.Repeat(" ", repeats(e, "c")))
	case "tab":
		r.write(" ")
	case "line-break":
		r.write("\n")
	case "list", "list-item", "list-header":
		r.startList(e)
	case "table", "table-cell", "covered-table-cell":
		r.startTable(e)
	case "note":
		r.startNote("", "")
	case "annotation":
		r.startNote("c", "a reader")
	}
}

func newODTParagraph(e *xml.StartElement, style odtStyle) *odtParagraph {
	p := &odtParagraph{list: style.list, from: plain.CountOn}
	if e.Name.Local == "h" {
		p.level = max(1, min(repeats(e, "outline-level"), 6))
		p.plain = office.Attr(e, "is-list-header") == "true"
		if office.Attr(e, "restart-numbering") == "true" {
			p.from = startOf(e, 1)
		}
	}
	return p
}

// startOf returns the number that an element begins at.
func startOf(e *xml.StartElement, otherwise int) int {
	if n, err := strconv.Atoi(office.Attr(e, "start-value")); err == nil && n >= 0 {
		return n
	}
	return otherwise
}

// repeats returns how often an element is repeated.
func repeats(e *xml.StartElement, key string) int {
	n, err := strconv.Atoi(office.Attr(e, key))
	if err != nil || n < 1 || n > maxRepeated {
		return 1
	}
	return n
}

// paragraph returns the open paragraph, or nil.
func (r *odtReader) paragraph() *odtParagraph {
	if n := len(r.paragraphs); n > 0 {
		return r.paragraphs[n-1]
	}
	return nil
}

func (r *odtReader) write(s string) {
	if p := r.paragraph(); p != nil {
		p.WriteScript(s, p.script())
	}
}

// Script returns the script of the open span.
func (p *odtParagraph) script() plain.Script {
	if n := len(p.spans); n > 0 {
		return p.spans[n-1]
	}
	return plain.OnLine
}

// startNote begins a note or a comment, and writes the reference to it.
func (r *odtReader) startNote(prefix, by string) {
	if r.labels == nil {
		r.labels = map[string]int{}
	}
	r.labels[prefix]++
	note := &odtNote{label: prefix + strconv.Itoa(r.labels[prefix]), by: by}
	r.write("[^" + note.label + "]")
	r.open = append(r.open, note)
}

func (r *odtReader) endNote() {
	n := len(r.open)
	if n == 0 {
		return
	}
	note := r.open[n-1]
	r.open = r.open[:n-1]
	text := fmt.Sprintf("[^%s]: %s", note.label, strings.Join(note.parts, " "))
	if note.by == "" {
		r.notes = append(r.notes, text)
	} else {
		r.comments = append(r.comments, strings.Replace(text, ": ", ": Comment of "+note.by+": ", 1))
	}
}

func (r *odtReader) startTable(e *xml.StartElement) {
	if e.Name.Local == "table" {
		r.tables.Start()
		return
	}
	t := r.tables.Current()
	if t == nil {
		return
	}
	t.Repeated = repeats(e, "number-columns-repeated")
	at := len(t.Cells)
	if t.Down = e.Name.Local == "covered-table-cell" && t.RowsBelow[at] > 0; t.Down {
		t.RowsBelow[at]--
	} else {
		t.RowsBelow[at] = repeats(e, "number-rows-spanned") - 1
	}
}

func (r *odtReader) end(name string) {
	switch name {
	case "p", "h":
		if p := r.paragraph(); p != nil {
			r.paragraphs = r.paragraphs[:len(r.paragraphs)-1]
			r.endParagraph(p)
		}
	case "creator":
		if p := r.paragraph(); p != nil && p.author {
			r.paragraphs = r.paragraphs[:len(r.paragraphs)-1]
			r.open[len(r.open)-1].by = cmp.Or(decode.CleanLine(string(p.Bytes)), "a reader")
		}
	case "span":
		if p := r.paragraph(); p != nil && len(p.spans) > 0 {
			p.spans = p.spans[:len(p.spans)-1]
		}
	case "list":
		if n := len(r.lists); n > 0 {
			r.lists = r.lists[:n-1]
		}
		if len(r.lists) == 0 {
			r.endItems()
		}
	case "table", "table-cell", "covered-table-cell", "table-row":
		if t := r.tables.Current(); t != nil {
			r.endTable(name, t)
		}
	case "note", "annotation":
		r.endNote()
	}
}

func (r *odtReader) endTable(name string, t *plain.Table) {
	switch name {
	case "table":
		if text := r.tables.End(); text != "" {
			r.addBlock(text)
		}
	case "table-row":
		t.EndRow()
	default:
		t.EndCell()
		t.RepeatCell(t.Repeated - 1)
	}
}

func (r *odtReader) endParagraph(p *odtParagraph) {
	text := strings.TrimSpace(string(p.Bytes))
	if text == "" || p.hidden {
		return
	}
	if n := len(r.open); n > 0 {
		r.open[n-1].parts = append(r.open[n-1].parts, decode.CleanLine(text))
		return
	}
	level := len(r.lists) - 1
	mark := r.mark(p, min(level, plain.MaxLevel))
	numbered := strings.TrimSpace(mark + " " + text)
	switch {
	case r.tables.Current() != nil:
		r.tables.Current().Add(numbered)
	case p.level > 0:
		if p.level == 1 && r.title == "" {
			r.title = numbered
		}
		r.addBlock(strings.Repeat("#", p.level) + " " + decode.CleanLine(numbered))
	case level >= 0:
		r.items = append(r.items, strings.Repeat("  ", min(level, plain.MaxLevel))+decode.CleanLine(numbered))
	default:
		r.addBlock(text)
	}
}

// margin handles the headers or the footers of the pages.
func (r *odtReader) margin(kind string) office.Handler {
	open := 0
	return func(start *xml.StartElement, end, text string) bool {
		switch {
		case start != nil && strings.HasPrefix(start.Name.Local, kind) && !strings.HasSuffix(start.Name.Local, "-style"):
			open++
		case strings.HasPrefix(end, kind) && !strings.HasSuffix(end, "-style"):
			open--
		}
		return open == 0 || r.handle(start, end, text)
	}
}
