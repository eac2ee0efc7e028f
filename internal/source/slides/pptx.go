// Package slides reads presentations of PowerPoint.
package slides

import (
	"cmp"
	"context"
	"encoding/xml"
	"fmt"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/source/decode"
	"github.com/neorag/neorag/internal/source/office"
	"github.com/neorag/neorag/internal/source/parse"
	"github.com/neorag/neorag/internal/source/plain"
)

// defaultTitles are those that PowerPoint gives in some languages.
var defaultTitles = []string{"PowerPoint Presentation", "PowerPoint-Präsentation", "Présentation PowerPoint", "Presentación de PowerPoint", "Presentazione standard di PowerPoint", "Apresentação do PowerPoint", "PowerPoint-presentatie", "Prezentacja programu PowerPoint", "Презентация PowerPoint", "PowerPoint プレゼンテーション", "PowerPoint 演示文稿", "PowerPoint 프레젠테이션"}

// Read keeps the text of slides, with their titles as headings, tables and notes.
func Read(ctx context.Context, raw []byte, doc graph.Document, _ parse.Options) (graph.Document, []parse.Failure, error) {
	const main = "ppt/presentation.xml"
	f, properties, err := office.OpenDocument(ctx, raw, "a PowerPoint file", main, "docProps/core.xml")
	if err != nil {
		return doc, nil, err
	}
	slides, err := slideNames(f, main)
	if err != nil {
		return doc, nil, err
	}
	var texts []string
	title := ""
	for _, name := range slides {
		slide, err := readSlide(f, name)
		if err != nil {
			return doc, nil, fmt.Errorf("%s: %w", name, err)
		}
		if len(slide.blocks) > 0 && !slide.hidden {
			texts = append(texts, strings.Join(slide.blocks, "\n\n"))
			title = cmp.Or(title, slide.title)
		}
	}
	doc.Text = decode.Clean(strings.Join(texts, "\n\n"))
	if slices.Contains(defaultTitles, properties.Title) {
		properties.Title = ""
	}
	doc.Title = cmp.Or(decode.CleanLine(properties.Title), title, doc.Title)
	doc.Date = cmp.Or(parse.Date(properties.Created), parse.RefineDate(doc.Date, doc.Text))
	return doc, nil, nil
}

// slideNames returns the names of the slides, in their order.
func slideNames(f *office.Archive, main string) ([]string, error) {
	relations, err := office.RelationsOf(f, main)
	if err != nil {
		return nil, fmt.Errorf("relations of %s: %w", main, err)
	}
	var names []string
	err = f.ReadPart(main, office.Starts(func(start *xml.StartElement) {
		if start.Name.Local == "sldId" {
			for _, a := range start.Attr {
				if name := relations.Targets[a.Value]; a.Name.Local == "id" && name != "" {
					names = append(names, name)
				}
			}
		}
	}))
	return names, err
}

// readSlide reads a slide and its notes.
func readSlide(f *office.Archive, name string) (*slideReader, error) {
	relations, err := office.RelationsOf(f, name)
	if err != nil {
		return nil, err
	}
	slide, notes := &slideReader{file: f, targets: relations.Targets}, &slideReader{file: f}
	if err := f.ReadPart(name, slide.handle); err != nil {
		return nil, err
	}
	for _, part := range relations.Names["notesSlide"] {
		if err := f.ReadPart(part, notes.handle); err != nil {
			return nil, err
		}
	}
	if len(notes.blocks) > 0 {
		slide.blocks = append(slide.blocks, "Notes: "+strings.Join(notes.blocks, "\n"))
	}
	return slide, nil
}

// A slideReader collects the text of a slide: shapes as blocks, paragraphs as lines.
type slideReader struct {
	blocks  []string
	kind    string // of the placeholder of the open shape
	lines   []string
	line    plain.Line
	script  plain.Script // of the open run
	table   *plain.Table // the open one
	inText  bool
	title   string
	hidden  bool // it is not shown
	numbers slideNumbers
	file    *office.Archive
	targets map[string]string // names of parts by the id of their relation
}

func (s *slideReader) handle(start *xml.StartElement, end, text string) bool {
	switch {
	case start != nil:
		s.start(start)
		return start.Name.Local != "Fallback"
	case end == "":
		if s.inText {
			s.line.WriteScript(text, s.script)
		}
	default:
		s.end(end)
	}
	return true
}

func (s *slideReader) start(e *xml.StartElement) {
	switch e.Name.Local {
	case "sld":
		s.hidden = office.Attr(e, "show") == "0" || office.Attr(e, "show") == "false"
	case "ph":
		s.kind = office.Attr(e, "type")
	case "chart", "relIds":
		if graphic := office.GraphicText(s.file, s.targets, e); graphic != "" {
			s.blocks = append(s.blocks, graphic)
		}
	case "tbl":
		s.table = &plain.Table{}
	case "tc":
		if s.table != nil {
			s.table.Down = office.Attr(e, "vMerge") == "1" || office.Attr(e, "vMerge") == "true"
		}
	case "p":
		s.numbers.kind, s.numbers.level = "", 0
	case "pPr", "buAutoNum":
		s.numbers.setProperty(e)
	case "rPr":
		s.script = plain.ScriptOf(office.Attr(e, "baseline"))
	case "t":
		s.inText = true
	case "br":
		s.line.Write(" ")
	}
}

func (s *slideReader) end(name string) {
	switch name {
	case "t":
		s.inText, s.script = false, plain.OnLine
	case "p":
		if line := decode.CleanLine(string(s.line.Bytes)); line != "" {
			s.lines = append(s.lines, s.numbers.next()+line)
		}
		s.line = plain.Line{}
	case "tc":
		if s.table != nil {
			s.table.Add(strings.Join(s.lines, " "))
			s.table.EndCell()
		}
		s.lines = nil
	case "tr":
		if s.table != nil {
			s.table.EndRow()
		}
	case "tbl":
		if s.table != nil && len(s.table.Rows) > 0 {
			s.blocks = append(s.blocks, s.table.Text())
		}
		s.table = nil
	case "sp":
		s.endShape()
	}
}

// endShape adds the text of a shape, except numbers of slides, dates and footers.
func (s *slideReader) endShape() {
	switch {
	case len(s.lines) == 0 || s.kind == "sldNum" || s.kind == "dt" || s.kind == "ftr":
	case s.kind == "title" || s.kind == "ctrTitle":
		s.title = strings.Join(s.lines, " ")
		s.blocks = append([]string{"## " + s.title}, s.blocks...)
	default:
		s.blocks = append(s.blocks, strings.Join(s.lines, "\n"))
	}
	s.lines, s.kind, s.numbers = nil, "", slideNumbers{}
}
