package neo4jstore

import (
	"context"
	"fmt"
	"strings"

	"github.com/neorag/neorag/cypher"
	"github.com/neorag/neorag/internal/graph"
)

// An EmbedItem is a text to embed, with the fingerprint and the dimension of the vector
// that it has; both are empty without a vector, and the dimension is 0 for a text without
// content, whose vector is nil.
type EmbedItem struct {
	Key       string
	Text      string
	EmbedFP   string
	Dimension int
}

// PendingEmbed reads at most limit marked nodes of a kind (Chunk, Entity, Relationship,
// Report or Sentence) after the given key, in key order. Only an empty page is the last one.
func (s *Store) PendingEmbed(ctx context.Context, corpus string, kind graph.Kind, after string, limit int) ([]EmbedItem, error) {
	st, ok := map[graph.Kind]cypher.Statement{
		graph.KindChunk: cypher.ReadPendingEmbedChunk, graph.KindEntity: cypher.ReadPendingEmbedEntity,
		graph.KindRelationship: cypher.ReadPendingEmbedRelationship, graph.KindReport: cypher.ReadPendingEmbedReport,
		graph.KindSentence: cypher.ReadPendingEmbedSentence,
	}[kind]
	if !ok {
		return nil, fmt.Errorf("read texts to embed of corpus %s: a %s is not embedded", corpus, kind)
	}
	params := map[string]any{"after": max(after, graph.Key(corpus, ""))}
	items, err := pageOfRows(ctx, s, st, corpus, params, limit, func(v values) EmbedItem {
		return EmbedItem{Key: v.text("key"), Text: profileOf(kind, v), EmbedFP: v.text("embed_fp"), Dimension: v.int("dimension")}
	})
	if err != nil {
		return nil, fmt.Errorf("read texts to embed of corpus %s: %w", corpus, err)
	}
	return items, nil
}

// profileOf returns the text that a node is embedded as: an entity by its name and
// description, a relationship by its keywords, ends and description (LightRAG, section 3.1),
// a chunk, report or sentence by its text.
func profileOf(kind graph.Kind, v values) string {
	switch kind {
	case graph.KindEntity:
		return v.text("name") + ": " + v.text("description")
	case graph.KindRelationship:
		return strings.TrimLeft(strings.Join(v.texts("keywords"), ", ")+"\n"+v.text("source")+"\n"+v.text("target")+"\n"+v.text("description"), "\n")
	}
	return v.text("text")
}
