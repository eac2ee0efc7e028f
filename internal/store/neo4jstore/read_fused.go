package neo4jstore

import (
	"context"
	"fmt"

	"github.com/neorag/neorag/cypher"
)

// Texts are terms and texts of nodes that a search found, by key.
type Texts struct {
	Passages map[string]string // index terms, at the end those of the lead of the document
	Leads    map[string]string // index terms of documents' leads
	Heads    map[string]string // the first index terms of documents
	Chunks   map[string]string // texts
}

// Texts reads the terms of passages, those of the leads and beginnings of documents, and the
// texts of chunks, in one round trip. A key without a node is left out.
func (s *Store) Texts(ctx context.Context, corpus string, passages, documents, chunks []string) (Texts, error) {
	t := Texts{Passages: map[string]string{}, Leads: map[string]string{}, Heads: map[string]string{}, Chunks: map[string]string{}}
	params := map[string]any{"passages": passages, "documents": documents, "chunks": chunks}
	err := s.read(ctx, cypher.ReadFusedTexts, corpus, params, eachRow(func(v values) {
		key := v.text("key")
		switch v.text("kind") {
		case "Passage":
			t.Passages[key] = v.text("terms")
		case "Document":
			t.Heads[key], t.Leads[key] = v.text("terms"), v.text("lead")
		case "Chunk":
			t.Chunks[key] = v.text("terms")
		}
	}))
	if err != nil {
		return Texts{}, fmt.Errorf("read texts of corpus %s: %w", corpus, err)
	}
	return t, nil
}

// DocumentScores returns the scores of the best documents for each of several Lucene queries,
// by key, in one round trip. An empty query finds nothing.
func (s *Store) DocumentScores(ctx context.Context, corpus string, queries []string, limit int) ([]map[string]float64, error) {
	out := make([]map[string]float64, len(queries))
	var asked []string
	var places []int
	for i, q := range queries {
		out[i] = map[string]float64{}
		if q != "" {
			asked, places = append(asked, q), append(places, i)
		}
	}
	if len(asked) == 0 {
		return out, nil
	}
	params := withIndexNames(corpus, map[string]any{"queries": asked, "limit": limit})
	delete(params, "passage_index")
	err := s.read(ctx, cypher.ReadFusedFeedback, corpus, params, eachRow(func(v values) {
		out[places[v.int("query")]][v.text("key")] = v.real("score")
	}))
	if err != nil {
		return nil, searchError(corpus, err)
	}
	return out, nil
}
