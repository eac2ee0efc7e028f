package neo4jstore

import (
	"context"
	"fmt"
)

// Texts are terms and texts of nodes that a search found, by key.
type Texts struct {
	Passages map[string]string // index terms, with the header terms of the document at the end
	Leads    map[string]string // index terms of documents' leads
	Heads    map[string]string // the first index terms of documents
	Chunks   map[string]string // texts
}

// Texts reads the terms of passages, the header terms and beginnings of documents, and the
// texts of chunks, in one round trip. A key without a node is left out.
func (s *Store) Texts(ctx context.Context, corpus string, passages, documents, chunks []string) (Texts, error) {
	t := Texts{Passages: map[string]string{}, Leads: map[string]string{}, Heads: map[string]string{}, Chunks: map[string]string{}}
	params := map[string]any{"passages": passages, "documents": documents, "chunks": chunks}
	err := eachRow(ctx, s, readFusedTexts, corpus, params, func(row fusedTextsRow) {
		switch row.Kind {
		case "Passage":
			t.Passages[row.Key] = row.Terms
		case "Document":
			t.Heads[row.Key], t.Leads[row.Key] = row.Terms, row.Lead
		case "Chunk":
			t.Chunks[row.Key] = row.Terms
		}
	})
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
	err := eachRow(ctx, s, readFusedFeedback, corpus, params, func(row fusedFeedbackRow) {
		out[places[row.Query]][row.Key] = row.Score
	})
	if err != nil {
		return nil, searchError(corpus, err)
	}
	return out, nil
}
