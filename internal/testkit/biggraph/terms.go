package biggraph

import (
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/stage/chunk"
	"github.com/neorag/neorag/internal/text/language"
	"github.com/neorag/neorag/internal/text/textproc"
)

// addTerms adds the terms of texts to the properties of a node, if terms are asked for.
func (m *maker) addTerms(set map[string]any, texts ...string) {
	if m.options.Terms {
		set["terms"] = strings.Join(textproc.Terms(strings.Join(texts, " ")), " ")
	}
}

// passages returns the properties of the passages of a document by chunk, and those that search
// needs of the document. Without terms, each chunk has one passage.
func (m *maker) passages(d graph.Document, chunks []graph.Chunk) (byChunk map[string][]any, document map[string]any) {
	byChunk = map[string][]any{}
	if !m.options.Terms {
		for _, c := range chunks {
			byChunk[c.Key] = []any{map[string]any{"key": c.Key, "start": 0, "end": c.End - c.Start}}
		}
		return byChunk, nil
	}
	d.Language = string(language.English)
	lead := textproc.HeaderTerms(language.English, d.Title, "", d.Text, "")
	passages, terms := chunk.Passages(m.corpus, d, chunks, lead)
	for _, p := range passages {
		byChunk[p.Chunk] = append(byChunk[p.Chunk], map[string]any{"key": p.Key, "terms": p.Terms, "pairs": p.Pairs, "start": p.Start, "end": p.End})
	}
	return byChunk, map[string]any{"language": d.Language, "terms": terms + " " + lead, "lead": lead, "passages": len(passages)}
}
