package neo4jstore

import (
	"context"
	"strings"

	"github.com/neorag/neorag/cypher"
	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/text"
)

// metaName returns the name of the property for a metadata field: lower case letters,
// digits and underscores.
func metaName(name string) string {
	return "meta_" + strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return '_'
	}, strings.ToLower(strings.TrimSpace(name)))
}

func documentRowsOf(plans []documentDiff) []any {
	rows := make([]any, len(plans))
	for i := range plans {
		rows[i] = map[string]any{"key": plans[i].key, "set": plans[i].set}
	}
	return rows
}

// writeChunks writes chunks of existing documents, with passages and links.
func (t *transaction) writeChunks(ctx context.Context, corpus string, chunks []chunkDiff) error {
	var rows, existing, first, next, keep, passages []any
	for i := range chunks {
		c := &chunks[i]
		row := map[string]any{
			"document": c.chunk.Document, "key": c.chunk.Key, "text": c.chunk.Text, "reextract": c.reextract,
			"set": chunkProperties(c),
		}
		if c.vector != nil {
			row["fp"], row["vector"] = c.embedFP, c.vector
		}
		rows = append(rows, row)
		link := map[string]any{"key": c.chunk.Key, "before": c.before}
		if c.before == c.chunk.Document {
			first = append(first, link)
		} else {
			next = append(next, link)
		}
		keys := make([]string, len(c.passages))
		for j := range c.passages {
			keys[j] = c.passages[j].Key
			passages = append(passages, passageRow(c, &c.passages[j]))
		}
		if c.exists {
			existing = append(existing, link)
			keep = append(keep, map[string]any{"key": c.chunk.Key, "keep": keys})
		}
	}
	return t.steps(ctx, corpus, []rowStep{
		{cypher.WriteChunks, rows, true},
		{cypher.WriteChunkLinksGone, existing, false},
		{cypher.WriteFirstChunks, first, true},
		{cypher.WriteChunkLinks, next, true},
		{cypher.WritePassagesGone, keep, false},
		{cypher.WritePassages, passages, true},
	})
}

// markPlaced marks what reports name after the headings of chunks, or the title of their document, that
// are about to change. It comes before these are written.
func (t *transaction) markPlaced(ctx context.Context, corpus string, chunks []chunkDiff) error {
	var rows []any
	for i := range chunks {
		if c := &chunks[i]; c.exists {
			rows = append(rows, map[string]any{"key": c.chunk.Key, "title": c.title, "headings": listOrEmpty(c.chunk.Place.Headings)})
		}
	}
	return t.steps(ctx, corpus, []rowStep{{cypher.WriteChunksPlaced, rows, false}})
}

// chunkProperties returns what may change of a chunk that has the same text.
func chunkProperties(c *chunkDiff) map[string]any {
	at := &c.chunk.Place
	set := map[string]any{
		"index": c.chunk.Index, "n_tokens": c.chunk.NTokens, "start": c.chunk.Start, "end": c.chunk.End, "name": c.name,
		"line": optional(at.Line), "file_start": nil, "file_end": nil,
		"pages": optionalList(at.Pages), "page_starts": optionalList(at.PageStarts), "headings": optionalList(at.Headings), "heading_starts": optionalList(at.HeadingStarts),
	}
	if at.FileEnd > 0 {
		set["file_start"], set["file_end"] = at.FileStart, at.FileEnd
	}
	return set
}

func passageRow(c *chunkDiff, p *graph.Passage) map[string]any {
	return map[string]any{"chunk": p.Chunk, "key": p.Key, "set": map[string]any{
		"terms": p.Terms, "pairs": p.Pairs, "start": p.Start, "end": p.End, "name": caption(c.chunk.Text, p.Start, p.End, 60),
	}}
}

// caption returns the beginning of source[start:end] on one line, at most n
// characters; "" for an invalid range.
func caption(source string, start, end, n int) string {
	if start < 0 || end > len(source) || start > end {
		return ""
	}
	source = source[start:end]
	if len(source) > 8*n { // enough bytes for n characters and the white space between them
		source = source[:8*n]
	}
	return text.Shorten(text.OneLine(strings.ToValidUTF8(source, "")), n)
}
