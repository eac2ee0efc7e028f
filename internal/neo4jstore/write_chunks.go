package neo4jstore

import (
	"context"
	"strings"
	"unicode/utf8"

	"github.com/neorag/neorag/cypher"
	"github.com/neorag/neorag/internal/graph"
)

// metaName is the property that holds a piece of metadata: lower case letters,
// digits and underscores.
func metaName(name string) string {
	return "meta_" + strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return '_'
	}, strings.ToLower(strings.TrimSpace(name)))
}

func documentRowsOf(plans []documentPlan) []any {
	rows := make([]any, len(plans))
	for i := range plans {
		rows[i] = map[string]any{"key": plans[i].key, "set": plans[i].set}
	}
	return rows
}

// writeChunks writes chunks of documents that stand, with passages and links.
func (t *transaction) writeChunks(ctx context.Context, corpus string, chunks []chunkPlan) error {
	var rows, stand, first, next, keep, passages []any
	for i := range chunks {
		c := &chunks[i]
		rows = append(rows, map[string]any{
			"document": c.chunk.Document, "key": c.chunk.Key, "text": c.chunk.Text, "reextract": c.reextract,
			"set": map[string]any{"index": c.chunk.Index, "n_tokens": c.chunk.NTokens, "start": c.chunk.Start, "end": c.chunk.End, "name": c.name},
		})
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
		if c.stands {
			stand = append(stand, link)
			keep = append(keep, map[string]any{"key": c.chunk.Key, "keep": keys})
		}
	}
	for _, step := range []struct {
		statement cypher.Statement
		rows      []any
		counted   bool
	}{
		{cypher.WriteChunks, rows, true},
		{cypher.WriteChunkLinksGone, stand, false},
		{cypher.WriteFirstChunks, first, true},
		{cypher.WriteChunkLinks, next, true},
		{cypher.WritePassagesGone, keep, false},
		{cypher.WritePassages, passages, true},
	} {
		if err := t.rows(ctx, step.statement, corpus, step.rows, step.counted); err != nil {
			return err
		}
	}
	return nil
}

func passageRow(c *chunkPlan, p *graph.Passage) map[string]any {
	return map[string]any{"chunk": p.Chunk, "key": p.Key, "set": map[string]any{
		"terms": p.Terms, "pairs": p.Pairs, "start": p.Start, "end": p.End, "name": snippet(c.chunk.Text, p.Start, p.End, 60),
	}}
}

// snippet is the beginning of text[start:end], at most n runes, as a caption.
func snippet(text string, start, end, n int) string {
	if start < 0 || end > len(text) || start > end {
		return ""
	}
	text = text[start:end]
	if len(text) > 8*n { // enough bytes for n runes and the white space among them
		text = text[:8*n]
	}
	return shorten(strings.Join(strings.Fields(strings.ToValidUTF8(text, "")), " "), n)
}

// shorten cuts a text of more than n runes at a space and adds an ellipsis.
func shorten(text string, n int) string {
	if utf8.RuneCountInString(text) <= n {
		return text
	}
	end, runes := 0, 0
	for i := range text {
		if runes == n-1 {
			end = i
			break
		}
		runes++
	}
	if space := strings.LastIndexByte(text[:end], ' '); space > end/2 {
		end = space
	}
	return strings.TrimRight(text[:end], " ,;:") + "…"
}
