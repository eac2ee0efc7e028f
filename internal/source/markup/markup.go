// Package markup reads texts that are written with marks: plain text, Markdown, AsciiDoc, Org,
// reStructuredText, notebooks and subtitles.
package markup

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/source/decode"
	"github.com/neorag/neorag/internal/source/parse"
	"github.com/neorag/neorag/internal/text"
)

// Read returns a reader of text with marks, of which it knows the headings. The text stays as
// it is written, without its front matter.
func Read(headings func(string) []parse.Heading) func(context.Context, []byte, graph.Document, parse.Options) (graph.Document, []parse.Failure, error) {
	return func(_ context.Context, raw []byte, doc graph.Document, with parse.Options) (graph.Document, []parse.Failure, error) {
		content, err := decode.Text(raw, with.Encoding)
		if err != nil {
			return doc, nil, err
		}
		fields, rest := frontMatter(content)
		doc.Text = rest
		doc.Places = textPlaces(raw, content, rest)
		doc.Date = cmp.Or(parse.Date(fields["date"]), parse.RefineDate(doc.Date, rest))
		title := text.OneLine(fields["title"])
		if title == "" && headings != nil {
			title = parse.FirstTitle(headings(rest))
		}
		doc.Title = cmp.Or(title, doc.Title)
		if len(fields) > 0 {
			doc.Metadata = fields
		}
		return doc, nil, nil
	}
}

// textPlaces returns the places of the end of a text that was decoded from a file.
func textPlaces(raw []byte, decoded, rest string) graph.Places {
	front := len(decoded) - len(rest)
	places := graph.Places{Line: 1 + strings.Count(decoded[:front], "\n")}
	unmarked := bytes.TrimPrefix(raw, []byte("\ufeff"))
	breaks, same := lineBreaks(unmarked, decoded)
	if !same {
		return places
	}
	first, _ := slices.BinarySearch(breaks, front)
	places.Verbatim = true
	places.Offset = len(raw) - len(unmarked) + front + first
	for _, at := range breaks[first:] {
		places.Breaks = append(places.Breaks, at-front)
	}
	return places
}

// lineBreaks returns the line ends of a text that have two bytes in the file, and whether the text
// differs from the file in line ends only.
func lineBreaks(raw []byte, decoded string) (breaks []int, same bool) {
	at := 0
	for i := 0; i < len(raw); i++ {
		c := raw[i]
		if c == '\r' {
			c = '\n'
			if i+1 < len(raw) && raw[i+1] == '\n' {
				breaks = append(breaks, at)
				i++
			}
		}
		if at == len(decoded) || decoded[at] != c {
			return nil, false
		}
		at++
	}
	return breaks, at == len(decoded)
}
