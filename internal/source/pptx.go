package source

import (
	"cmp"
	"context"
	"encoding/xml"
	"fmt"
	"strings"

	"github.com/neorag/neorag/internal/graph"
)

var _ = register(format{
	mime:        "application/vnd.openxmlformats-officedocument.presentationml.presentation",
	extensions:  []string{".pptx", ".pptm", ".ppsx", ".ppsm", ".potx", ".potm"},
	textVersion: "4",
	read:        readPPTX,
	headings:    markdownHeadings,
	sandboxed:   true,
})

// readPPTX keeps the text of slides, with their titles as headings, tables and notes.
func readPPTX(ctx context.Context, raw []byte, doc graph.Document, _ parsing) (graph.Document, []Failure, error) {
	const main = "ppt/presentation.xml"
	f, properties, err := openOffice(ctx, raw, "a PowerPoint file", main, "docProps/core.xml")
	if err != nil {
		return doc, nil, err
	}
	slides, err := slideNames(f, main)
	if err != nil {
		return doc, nil, err
	}
	var texts []string
	for _, name := range slides {
		text, err := slideText(f, name)
		if err != nil {
			return doc, nil, fmt.Errorf("%s: %w", name, err)
		}
		if text != "" {
			texts = append(texts, text)
		}
	}
	doc.Text = clean(strings.Join(texts, "\n\n"))
	doc.Title = cmp.Or(cleanLine(properties.title), doc.Title)
	doc.Date = cmp.Or(parseDate(properties.created), refineDate(doc.Date, doc.Text))
	return doc, nil, nil
}

// slideNames returns the names of the slides, in their order.
func slideNames(f *archive, main string) ([]string, error) {
	relations, err := relationsOf(f, main)
	if err != nil {
		return nil, fmt.Errorf("relations of %s: %w", main, err)
	}
	var names []string
	err = f.readPart(main, func(start *xml.StartElement, _, _ string) bool {
		if start != nil && start.Name.Local == "sldId" {
			for _, a := range start.Attr {
				if name := relations.targets[a.Value]; a.Name.Local == "id" && name != "" {
					names = append(names, name)
				}
			}
		}
		return true
	})
	return names, err
}

// slideText returns the text of a slide and of its notes.
func slideText(f *archive, name string) (string, error) {
	var slide, notes slideReader
	if err := f.readPart(name, slide.handle); err != nil {
		return "", err
	}
	relations, err := relationsOf(f, name)
	if err != nil {
		return "", err
	}
	for _, part := range relations.names["notesSlide"] {
		if err := f.readPart(part, notes.handle); err != nil {
			return "", err
		}
	}
	blocks := slide.blocks
	if len(notes.blocks) > 0 {
		blocks = append(blocks, "Notes: "+strings.Join(notes.blocks, "\n"))
	}
	return strings.Join(blocks, "\n\n"), nil
}

// A slideReader collects the text of a slide: shapes as blocks, paragraphs as lines.
type slideReader struct {
	blocks []string
	kind   string // of the placeholder of the open shape
	lines  []string
	line   lineText
	script script     // of the open run
	table  *cellTable // the open one
	inText bool
}

// handle is an xmlHandler.
func (s *slideReader) handle(start *xml.StartElement, end, text string) bool {
	switch {
	case start != nil:
		switch start.Name.Local {
		case "ph":
			s.kind = attr(start, "type")
		case "tbl":
			s.table = &cellTable{}
		case "tc":
			if s.table != nil {
				s.table.down = attr(start, "vMerge") == "1" || attr(start, "vMerge") == "true"
			}
		case "rPr":
			s.script = scriptOf(attr(start, "baseline"))
		case "t":
			s.inText = true
		case "br":
			s.line.write(" ")
		}
		return start.Name.Local != "Fallback"
	case end == "":
		if s.inText {
			s.line.writeScript(text, s.script)
		}
		return true
	}
	switch end {
	case "t":
		s.inText, s.script = false, onLine
	case "p":
		if line := cleanLine(string(s.line.b)); line != "" {
			s.lines = append(s.lines, line)
		}
		s.line = lineText{}
	case "tc":
		if s.table != nil {
			s.table.add(strings.Join(s.lines, " "))
			s.table.endCell()
		}
		s.lines = nil
	case "tr":
		if s.table != nil {
			s.table.endRow()
		}
	case "tbl":
		if s.table != nil && len(s.table.rows) > 0 {
			s.blocks = append(s.blocks, s.table.text())
		}
		s.table = nil
	case "sp":
		s.endShape()
	}
	return true
}

// endShape adds the text of a shape, except numbers of slides, dates and footers.
func (s *slideReader) endShape() {
	switch {
	case len(s.lines) == 0 || s.kind == "sldNum" || s.kind == "dt" || s.kind == "ftr":
	case s.kind == "title" || s.kind == "ctrTitle":
		s.blocks = append([]string{"## " + strings.Join(s.lines, " ")}, s.blocks...)
	default:
		s.blocks = append(s.blocks, strings.Join(s.lines, "\n"))
	}
	s.lines, s.kind = nil, ""
}
