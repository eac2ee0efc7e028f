package word

import (
	"cmp"
	"encoding/xml"
	"slices"
	"strconv"
	"strings"

	"github.com/neorag/neorag/internal/source/decode"
	"github.com/neorag/neorag/internal/source/office"
	"github.com/neorag/neorag/internal/source/plain"
)

// A docxWriter collects the text and the properties of a Word document.
type docxWriter struct {
	office.Properties

	heading   string               // the first of level 1
	styles    map[string]docxStyle // by id
	numbering docxNumbering
	notes     map[string]string // by the label of their references
	labels    []string          // of the notes, in their order
	used      []string          // labels in the order of their references
	margins   office.Margins
	out       strings.Builder
	inList    bool // the last block is a list item

	file  *office.Archive
	parts office.Relations
}

// A docxStyle is a style of paragraphs or of runs.
type docxStyle struct {
	level  int    // of the heading, from 1; 0 if it is not a heading
	base   string // id of the style it inherits from
	list   string // id of the list that its paragraphs are in, or ""
	indent int    // level of the list, from 1; 0 if the style does not say it
	hidden bool
	script plain.Script
}

// styleSheet handles the part that says which styles are headings. Their names are
// English in all language versions of Word, their ids are not.
func (w *docxWriter) styleSheet() office.Handler {
	id := ""
	return office.Starts(func(start *xml.StartElement) {
		s := w.styles[id]
		switch start.Name.Local {
		case "style":
			id = office.Attr(start, "styleId")
			return
		case "name":
			s.level = headingLevel(office.Attr(start, "val"))
		case "basedOn":
			s.base = office.Attr(start, "val")
		case "outlineLvl":
			s.level = outlineLevel(start)
		case "numId":
			s.list = office.Attr(start, "val")
		case "ilvl":
			s.indent = 1 + indentOf(start)
		case "vanish":
			s.hidden = isOn(start)
		case "vertAlign", "position":
			s.script = cmp.Or(plain.ScriptOf(office.Attr(start, "val")), s.script)
		default:
			return
		}
		w.styles[id] = s
	})
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
	n, err := strconv.Atoi(office.Attr(e, "val"))
	if err != nil || n < 0 || n > 5 { // 9 is body text
		return 0
	}
	return n + 1
}

// isOn reports whether a property that is on or off is on.
func isOn(e *xml.StartElement) bool {
	value := office.Attr(e, "val")
	return value != "0" && value != "false" && value != "off"
}

// indentOf returns the level of a list, from 0.
func indentOf(e *xml.StartElement) int {
	n, _ := strconv.Atoi(office.Attr(e, "val")) // an invalid level is 0
	return max(0, min(n, plain.MaxLevel))
}

// style returns a style with what it inherits.
func (w *docxWriter) style(id string) docxStyle {
	var out docxStyle
	for range 16 {
		s, known := w.styles[id]
		if !known {
			out.level = cmp.Or(out.level, headingLevel(id))
			return out
		}
		out.level = cmp.Or(out.level, s.level)
		out.hidden = out.hidden || s.hidden
		out.script = cmp.Or(out.script, s.script)
		out.list, out.indent = cmp.Or(out.list, s.list), cmp.Or(out.indent, s.indent)
		if id = s.base; id == "" {
			return out
		}
	}
	return out
}

// body handles the main part of the document.
func (w *docxWriter) body() office.Handler {
	return (&docxReader{writer: w, block: w.block}).handle
}

// notesPart handles the footnotes, the endnotes or the comments, which are elements of a name.
// All number from the start, so prefixes make their labels different.
func (w *docxWriter) notesPart(element, prefix string) office.Handler {
	var parts []string
	reader := docxReader{writer: w, block: func(text string, _ int, _ bool) { parts = append(parts, decode.CleanLine(text)) }}
	id, by := "", ""
	return func(start *xml.StartElement, end, text string) bool {
		if start != nil && start.Name.Local == element {
			id, by, parts = prefix+office.Attr(start, "id"), "", nil
			if element == "comment" {
				by = "Comment of " + cmp.Or(decode.CleanLine(office.Attr(start, "author")), "a reader") + ": "
			}
		}
		more := reader.handle(start, end, text)
		if end == element && len(parts) > 0 {
			w.notes[id] = by + strings.Join(parts, " ")
			w.labels = append(w.labels, id)
		}
		return more
	}
}

// margin handles a header or a footer.
func (w *docxWriter) margin() office.Handler {
	return (&docxReader{writer: w, block: func(text string, _ int, _ bool) {
		for _, text := range w.margins.Unseen([]string{text}) {
			w.block(text, 0, false)
		}
	}}).handle
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
		text = decode.CleanLine(text)
	}
	w.out.WriteString(text)
	w.inList = item
}

// text returns the whole text, with the notes at the end: those that are referenced, and comments.
func (w *docxWriter) text() string {
	for _, label := range w.labels {
		if strings.HasPrefix(label, "c") && !slices.Contains(w.used, label) {
			w.used = append(w.used, label)
		}
	}
	for _, id := range w.used {
		if note := w.notes[id]; note != "" {
			w.block("[^"+id+"]: "+note, 0, false)
			w.notes[id] = ""
		}
	}
	return w.out.String()
}
