package source

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/source/decode"
	"github.com/neorag/neorag/internal/source/parse"
)

// readODT keeps the text of paragraphs, headings, lists, tables, notes, comments, headers and footers.
func readODT(ctx context.Context, raw []byte, doc graph.Document, _ parse.Options) (graph.Document, []Failure, error) {
	const main, styleSheet = "content.xml", "styles.xml"
	f, properties, err := openOffice(ctx, raw, "an OpenDocument file", main, "meta.xml")
	if err != nil {
		return doc, nil, err
	}
	styles := newODTStyles()
	body, header, footer := odtReader{styles: styles}, odtReader{styles: styles}, odtReader{styles: styles}
	for _, part := range []struct {
		name string
		read xmlHandler
	}{
		{styleSheet, styles.handle},
		{main, styles.handle},
		{styleSheet, header.margin("header")},
		{main, body.handle},
		{styleSheet, footer.margin("footer")},
	} {
		if err := f.readPart(part.name, part.read); err != nil {
			return doc, nil, fmt.Errorf("%s: %w", part.name, err)
		}
	}
	var margins marginTexts
	blocks := slices.Concat(margins.unseen(header.blocks), body.blocks, margins.unseen(footer.blocks), body.notes, body.comments)
	doc.Text = decode.Clean(strings.Join(blocks, "\n\n"))
	doc.Title = cmp.Or(decode.CleanLine(properties.title), decode.CleanLine(body.title), doc.Title)
	doc.Date = cmp.Or(parse.Date(properties.created), parse.RefineDate(doc.Date, doc.Text))
	return doc, nil, nil
}
