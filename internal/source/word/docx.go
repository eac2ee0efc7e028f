// Package word reads Word documents.
package word

import (
	"cmp"
	"context"
	"fmt"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/source/decode"
	"github.com/neorag/neorag/internal/source/office"
	"github.com/neorag/neorag/internal/source/parse"
)

// Read keeps the text of paragraphs, headings, lists, tables and notes.
func Read(ctx context.Context, raw []byte, doc graph.Document, _ parse.Options) (graph.Document, []parse.Failure, error) {
	f, err := office.Open(ctx, raw)
	if err != nil {
		return doc, nil, fmt.Errorf("not a Word document: %w", err)
	}
	parts, err := findParts(f)
	if err != nil {
		return doc, nil, err
	}
	w := docxWriter{styles: map[string]docxStyle{}, notes: map[string]string{}, file: f, parts: parts}
	for _, part := range []struct {
		kind string
		read office.Handler
	}{
		{"core-properties", w.PropertiesPart()},
		{"numbering", w.numbering.handler()},
		{"styles", w.styleSheet()},
		{"footnotes", w.notesPart("footnote", "")},
		{"endnotes", w.notesPart("endnote", "e")},
		{"comments", w.notesPart("comment", "c")},
		{"header", w.margin()},
		{"officeDocument", w.body()},
		{"footer", w.margin()},
	} {
		for _, name := range parts.Names[part.kind] {
			if err := f.ReadPart(name, part.read); err != nil {
				return doc, nil, fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	doc.Text = decode.Clean(w.text())
	doc.Title = cmp.Or(decode.CleanLine(w.Title), decode.CleanLine(w.heading), doc.Title)
	doc.Date = cmp.Or(parse.Date(w.Created), parse.RefineDate(doc.Date, doc.Text))
	return doc, nil, nil
}
