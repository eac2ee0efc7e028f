package neo4jstore

import (
	"context"
	"fmt"
	"strings"

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

// An embedRow is an EmbedItem with what the text of an entity or relationship is made of.
type embedRow struct {
	EmbedItem

	name, description, source, target string
	keywords                          []string
}

// PendingEmbed reads at most limit marked nodes of a kind (Chunk, Entity, Relationship,
// Report or Sentence) after the given key, in key order. Only an empty page is the last one.
func (s *Store) PendingEmbed(ctx context.Context, corpus string, kind graph.Kind, after string, limit int) ([]EmbedItem, error) {
	st, ok := map[graph.Kind]typed[embedRow]{
		graph.KindChunk: readPendingEmbedChunk, graph.KindEntity: readPendingEmbedEntity,
		graph.KindRelationship: readPendingEmbedRelationship, graph.KindReport: readPendingEmbedReport,
		graph.KindSentence: readPendingEmbedSentence,
	}[kind]
	if !ok {
		return nil, fmt.Errorf("read texts to embed of corpus %s: a %s is not embedded", corpus, kind)
	}
	params := map[string]any{"after": max(after, graph.Key(corpus, ""))}
	found, err := pageOfRows(ctx, s, st, corpus, params, limit)
	items := make([]EmbedItem, len(found))
	for i, row := range found {
		items[i] = row.EmbedItem
		items[i].Text = row.profile(kind)
	}
	return items, wrap(err, "read texts to embed of corpus "+corpus)
}

// profile returns the text that a node is embedded as: an entity by its name and
// description, a relationship by its keywords, ends and description (LightRAG, section 3.1),
// a chunk, report or sentence by its text.
func (r *embedRow) profile(kind graph.Kind) string {
	switch kind {
	case graph.KindEntity:
		return r.name + ": " + r.description
	case graph.KindRelationship:
		return strings.TrimLeft(strings.Join(r.keywords, ", ")+"\n"+r.source+"\n"+r.target+"\n"+r.description, "\n")
	}
	return r.Text
}
