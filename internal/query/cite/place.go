package cite

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// A Place is where people find a quote in the file of its document. What is not known is zero.
type Place struct {
	Page      int    `json:"page,omitempty"`      // of a PDF file, from 1
	Heading   string `json:"heading,omitempty"`   // the headings above the quote, separated by " > "
	Row       int    `json:"row,omitempty"`       // of a table or list of records, from 1, with the header
	Line      int    `json:"line,omitempty"`      // of the file, from 1, on which the quote or its row begins
	Converted bool   `json:"converted,omitempty"` // the document is not the text of the file, such as a PDF file: offsets are those in the text that was made from it
}

// Describe returns the place of a range of bytes, in the order from the largest part of a file to the
// smallest.
func (p Place) Describe(start, end int) string {
	bytes := fmt.Sprintf("bytes %d to %d", start, end)
	if p.Converted {
		bytes += " of its text"
	}
	return strings.Join(append(p.parts(), bytes), ", ")
}

// Where returns the place for readers of a document, without bytes; empty if nothing is known.
func (p Place) Where() string { return strings.Join(p.parts(), ", ") }

func (p Place) parts() []string {
	var parts []string
	if p.Page > 0 {
		parts = append(parts, "page "+strconv.Itoa(p.Page))
	}
	if p.Heading != "" {
		parts = append(parts, strconv.Quote(p.Heading))
	}
	if p.Row > 0 {
		parts = append(parts, "row "+strconv.Itoa(p.Row))
	}
	if p.Line > 0 {
		parts = append(parts, "line "+strconv.Itoa(p.Line))
	}
	return parts
}

// place sets the places of the quotes of an answer.
func (r Resolver) place(ctx context.Context, a *Answer) error {
	var keys []string
	for _, c := range a.References {
		keys = append(keys, c.Chunk)
	}
	for _, c := range a.Citations {
		keys = append(keys, c.Chunk)
	}
	chunks, err := r.placedChunks(ctx, keys)
	if err != nil {
		return err
	}
	for i, c := range a.References {
		a.References[i].Place, a.References[i].Start, a.References[i].End = placeIn(chunks[c.Chunk], c.Start, c.End)
	}
	for i, c := range a.Citations {
		a.Citations[i].Place, a.Citations[i].Start, a.Citations[i].End = placeIn(chunks[c.Chunk], c.Start, c.End)
	}
	return nil
}

// A Span is where a text is in the file of its document, or in the text of the document if it is
// converted.
type Span struct {
	Place
	Start, End int
}

// Spans reads where chunks are, by their keys.
func (r Resolver) Spans(ctx context.Context, keys []string) (map[string]Span, error) {
	chunks, err := r.placedChunks(ctx, slices.Clone(keys))
	if err != nil {
		return nil, err
	}
	spans := make(map[string]Span, len(chunks))
	for key, c := range chunks {
		var s Span
		s.Place, s.Start, s.End = placeIn(c, c.Start, c.Start+len(c.Text))
		spans[key] = s
	}
	return spans, nil
}

// placedChunks reads the places of chunks, by their keys.
func (r Resolver) placedChunks(ctx context.Context, keys []string) (map[string]neo4jstore.PlacedChunk, error) {
	slices.Sort(keys)
	keys = slices.DeleteFunc(slices.Compact(keys), func(key string) bool { return key == "" })
	if len(keys) == 0 {
		return nil, nil
	}
	found, err := r.Evidence.ChunkPlaces(ctx, keys)
	if err != nil {
		return nil, err
	}
	chunks := make(map[string]neo4jstore.PlacedChunk, len(found))
	for _, c := range found {
		chunks[c.Key] = c
	}
	return chunks, nil
}

// IsIn reports whether the quote of a citation is in a chunk, at the offsets of the citation.
func (c Citation) IsIn(chunk neo4jstore.PlacedChunk) bool {
	if c.Quote == "" {
		return false
	}
	for at := 0; at+len(c.Quote) <= len(chunk.Text); at++ {
		next := strings.Index(chunk.Text[at:], c.Quote)
		if next < 0 {
			return false
		}
		at += next
		if _, start, end := placeIn(chunk, chunk.Start+at, chunk.Start+at+len(c.Quote)); start == c.Start && end == c.End {
			return true
		}
	}
	return false
}

// placeIn returns the place of a range of bytes of a document that is in a chunk, and the range in
// the file where the chunk is part of it as it is.
func placeIn(c neo4jstore.PlacedChunk, start, end int) (Place, int, int) {
	from, to := start-c.Start, end-c.Start
	if from < 0 || to > len(c.Text) || from >= to {
		return Place{}, start, end
	}
	p := Place{Page: last(c.Pages, c.PageStarts, from), Heading: last(c.Headings, c.HeadingStarts, from), Row: c.Row, Line: c.Line, Converted: true}
	if p.Line > 0 && p.Row == 0 {
		p.Line += strings.Count(c.Text[:from], "\n")
	}
	switch length := c.FileEnd - c.FileStart; {
	case c.FileEnd == 0:
	case length == len(c.Text):
		return p.verbatim(), c.FileStart + from, c.FileStart + to
	case length == len(c.Text)+strings.Count(c.Text, "\n"): // every line ends with two bytes
		return p.verbatim(), c.FileStart + from + strings.Count(c.Text[:from], "\n"), c.FileStart + to + strings.Count(c.Text[:to], "\n")
	}
	return p, start, end
}

func (p Place) verbatim() Place {
	p.Converted = false
	return p
}

// last returns the last of the values that starts at or before a place, or the zero value.
func last[T any](all []T, starts []int, at int) (value T) {
	for i, start := range starts {
		if start > at || i == len(all) {
			break
		}
		value = all[i]
	}
	return value
}
