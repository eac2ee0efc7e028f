package source

import (
	"cmp"
	"context"
	"encoding/xml"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/neorag/neorag/internal/graph"
)

var _ = register(format{mime: "application/vnd.oasis.opendocument.text", extensions: []string{".odt"}, textVersion: "4", read: readODT, headings: markdownHeadings, sandboxed: true})

// maxRepeated is how many cells, or spaces, an element of an OpenDocument file may be.
const maxRepeated = 100

// readODT keeps the text of paragraphs, headings, lists, tables and notes.
func readODT(ctx context.Context, raw []byte, doc graph.Document, _ parsing) (graph.Document, []Failure, error) {
	const main = "content.xml"
	f, properties, err := openOffice(ctx, raw, "an OpenDocument file", main, "meta.xml")
	if err != nil {
		return doc, nil, err
	}
	r := odtReader{styles: odtStyles{styles: map[string]odtStyle{}}}
	for _, name := range []string{"styles.xml", main} {
		if err := f.readPart(name, r.styles.handle); err != nil {
			return doc, nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	if err := f.readPart(main, r.handle); err != nil {
		return doc, nil, fmt.Errorf("%s: %w", main, err)
	}
	doc.Text = clean(strings.Join(append(r.blocks, r.notes...), "\n\n"))
	doc.Title = cmp.Or(cleanLine(properties.title), cleanLine(r.title), doc.Title)
	doc.Date = cmp.Or(parseDate(properties.created), refineDate(doc.Date, doc.Text))
	return doc, nil, nil
}

// An odtReader collects the blocks of an OpenDocument text.
type odtReader struct {
	blocks, notes []string
	title         string // the first heading of level 1
	styles        odtStyles
	paragraphs    []*odtParagraph // the open ones; notes and boxes nest them
	lists         int             // open
	items         []string        // of the open list
	rows          []string        // of the open table
	row           []string
	repeated      int      // cells that the open cell is
	cell          []string // the paragraphs of the open cell
	tables        int      // open
	note          int      // open
}

type odtParagraph struct {
	lineText

	level int      // of the heading, from 1; 0 if it is not one
	spans []script // of the open spans
}

// odtSkipped are elements whose text is not shown: deletions, and the numbers of notes, which are
// counted again.
var odtSkipped = []string{"tracked-changes", "note-citation", "annotation", "sequence-decls", "ruby-text", "desc", "title"}

// handle is an xmlHandler.
func (r *odtReader) handle(start *xml.StartElement, end, text string) bool {
	switch {
	case start != nil:
		if slices.Contains(odtSkipped, start.Name.Local) {
			return false
		}
		r.start(start)
	case end != "":
		r.end(end)
	default:
		r.write(strings.NewReplacer("\n", " ", "\t", " ").Replace(text))
	}
	return true
}

func (r *odtReader) start(e *xml.StartElement) {
	switch e.Name.Local {
	case "p", "h":
		level := 0
		if e.Name.Local == "h" {
			level = 1
			if n, err := strconv.Atoi(attr(e, "outline-level")); err == nil && n > 0 {
				level = min(n, 6)
			}
		}
		r.paragraphs = append(r.paragraphs, &odtParagraph{level: level})
	case "span":
		if n := len(r.paragraphs); n > 0 {
			p := r.paragraphs[n-1]
			p.spans = append(p.spans, cmp.Or(r.styles.of(e).script, p.script()))
		}
	case "s":
		r.write(strings.Repeat(" ", repeats(e, "c")))
	case "tab":
		r.write(" ")
	case "line-break":
		r.write("\n")
	case "list":
		r.lists++
	case "table":
		r.tables++
	case "table-cell", "covered-table-cell":
		r.repeated = repeats(e, "number-columns-repeated")
	case "note":
		r.note++
		r.write(fmt.Sprintf("[^%d]", len(r.notes)+1))
	}
}

// repeats returns how often an element is repeated.
func repeats(e *xml.StartElement, key string) int {
	n, err := strconv.Atoi(attr(e, key))
	if err != nil || n < 1 || n > maxRepeated {
		return 1
	}
	return n
}

// write appends to the open paragraph.
func (r *odtReader) write(s string) {
	if n := len(r.paragraphs); n > 0 {
		p := r.paragraphs[n-1]
		p.writeScript(s, p.script())
	}
}

// script returns that of the open span.
func (p *odtParagraph) script() script {
	if n := len(p.spans); n > 0 {
		return p.spans[n-1]
	}
	return onLine
}

func (r *odtReader) end(name string) {
	switch name {
	case "p", "h":
		if n := len(r.paragraphs); n > 0 {
			p := r.paragraphs[n-1]
			r.paragraphs = r.paragraphs[:n-1]
			r.endParagraph(strings.TrimSpace(string(p.b)), p.level)
		}
	case "span":
		if n := len(r.paragraphs); n > 0 && len(r.paragraphs[n-1].spans) > 0 {
			p := r.paragraphs[n-1]
			p.spans = p.spans[:len(p.spans)-1]
		}
	case "list":
		if r.lists--; r.lists == 0 && len(r.items) > 0 && r.tables == 0 {
			r.blocks, r.items = append(r.blocks, strings.Join(r.items, "\n")), nil
		}
	case "table-cell", "covered-table-cell":
		for range r.repeated {
			r.row = append(r.row, strings.Join(r.cell, " "))
		}
		r.cell = nil
	case "table-row":
		if row := strings.TrimRight(strings.Join(r.row, " | "), " |"); row != "" {
			r.rows = append(r.rows, row)
		}
		r.row = nil
	case "table":
		if r.tables--; r.tables == 0 && len(r.rows) > 0 {
			r.blocks, r.rows = append(r.blocks, strings.Join(r.rows, "\n")), nil
		}
	case "note":
		r.note--
	}
}

func (r *odtReader) endParagraph(text string, level int) {
	switch {
	case text == "":
	case r.note > 0:
		r.notes = append(r.notes, fmt.Sprintf("[^%d]: %s", len(r.notes)+1, cleanLine(text)))
	case r.tables > 0:
		r.cell = append(r.cell, cleanLine(text))
	case r.lists > 0 && level == 0:
		r.items = append(r.items, strings.Repeat("  ", min(r.lists-1, maxListLevel))+"- "+cleanLine(text))
	case level > 0:
		if level == 1 && r.title == "" {
			r.title = text
		}
		r.blocks = append(r.blocks, strings.Repeat("#", level)+" "+cleanLine(text))
	default:
		r.blocks = append(r.blocks, text)
	}
}
