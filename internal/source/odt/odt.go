// Package odt reads texts in the OpenDocument format.
package odt

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/source/decode"
	"github.com/neorag/neorag/internal/source/office"
	"github.com/neorag/neorag/internal/source/parse"
	"github.com/neorag/neorag/internal/source/plain"
)

// Read keeps the text of paragraphs, headings, lists, tables, notes, comments, headers and footers.
func Read(ctx context.Context, raw []byte, doc graph.Document, _ parse.Options) (graph.Document, []parse.Failure, error) {
	const main, styleSheet = "content.xml", "styles.xml"
	f, properties, err := office.OpenDocument(ctx, raw, "an OpenDocument file", main, "meta.xml")
	if err != nil {
		return doc, nil, err
	}
	styles := &odtStyles{styles: map[string]odtStyle{}, lists: map[string]*plain.List{}}
	body, header, footer := odtReader{styles: styles}, odtReader{styles: styles}, odtReader{styles: styles}
	for _, part := range []struct {
		name string
		read office.Handler
	}{
		{styleSheet, styles.handle},
		{main, styles.handle},
		{styleSheet, header.margin("header")},
		{main, body.handle},
		{styleSheet, footer.margin("footer")},
	} {
		if err := f.ReadPart(part.name, part.read); err != nil {
			return doc, nil, fmt.Errorf("%s: %w", part.name, err)
		}
	}
	var margins office.Margins
	blocks := slices.Concat(margins.Unseen(header.blocks), body.blocks, margins.Unseen(footer.blocks), body.notes, body.comments)
	doc.Text = decode.Clean(strings.Join(blocks, "\n\n"))
	doc.Title = cmp.Or(decode.CleanLine(properties.Title), decode.CleanLine(body.title), doc.Title)
	doc.Date = cmp.Or(parse.Date(properties.Created), parse.RefineDate(doc.Date, doc.Text))
	return doc, nil, nil
}
