package neo4jstore

import (
	"context"
	"fmt"

	"github.com/neorag/neorag/internal/graph"
)

// A SentenceChunk is a chunk whose sentences are to be made, with those that it has and the
// entities that it mentions.
type SentenceChunk struct {
	Key      string
	Text     string
	FP       string          // of its sentences; empty if they are to be made in any case
	Ends     map[string]int  // ends of the sentences that it has, by their keys
	Entities []EntityMention // keys and spellings, in key order
}

// PendingSentences reads at most limit chunks with a mark of the stage sentences after the
// given key, in key order.
func (s *Store) PendingSentences(ctx context.Context, corpus, after string, limit int) ([]SentenceChunk, error) {
	params := map[string]any{"after": max(after, graph.Key(corpus, "")), "limit": limit}
	chunks, err := rowsAs(ctx, s, readPendingSentences, corpus, params, func(row pendingSentencesRow) SentenceChunk {
		c := SentenceChunk{Key: row.Key, Text: row.Text, FP: row.SentencesFP, Ends: map[string]int{}, Entities: row.Entities}
		for _, s := range row.Sentences {
			c.Ends[s.Key] = s.End
		}
		return c
	})
	return chunks, wrap(err, "read chunks to make sentences of, of corpus "+corpus)
}

// sentenceOverfetch is how many more neighbours than wanted are read from the vector index,
// which misses many of the nearest when it is asked for a few.
const sentenceOverfetch = 50

// SearchSentences finds the sentences nearest to a vector by the vector index, and with hops
// those that are nearest to these, in one round trip. The query of a hit is empty, and its
// answer is the sentence. The scope of the search is the whole corpus.
func (s *Store) SearchSentences(ctx context.Context, corpus string, q QuerySearch) ([]QueryHit, error) {
	doubles, err := queryVector(q.Vector)
	if err != nil {
		return nil, fmt.Errorf("search sentences of corpus %s: %w", corpus, err)
	}
	params := map[string]any{"vector": doubles, "least": q.Least, "limit": q.Limit, "fetch": sentenceOverfetch, "hops": q.Hops, "neighbours": q.Neighbours}
	hits, err := rows(ctx, s, readSearchSentences, corpus, params)
	return hits, searchError(corpus, err)
}

type sentenceVector struct {
	QueryHit

	vector []float32
}

// SentenceVectors passes the sentences of a scope that have a vector to each, in key order.
func (s *Store) SentenceVectors(ctx context.Context, corpus string, w *Scope, each func(QueryHit, []float32)) error {
	return pageSpec[sentenceVector]{
		reading: "read sentences", statement: readSentencesInScope, corpus: corpus, params: w.params(map[string]any{}), limit: queryPage,
		key: func(r sentenceVector) string { return r.Key }, skip: func(r sentenceVector) bool { return len(r.vector) == 0 },
	}.pass(ctx, s, func(r sentenceVector) { each(r.QueryHit, r.vector) })
}

// A NamedSentence is a sentence that names an entity, with all that it names.
type NamedSentence struct {
	Entity   string // the key of the one that was asked for
	Key      string
	Text     string
	Cosine   float64 // with the question
	Entities []NamedEntity
}

// A NamedEntity is an entity that a sentence names.
type NamedEntity struct{ Key, Name string }

// NamedSentences reads of each entity at most limit sentences of a scope that name it, without
// those in used: those nearest to the vector. The nearest come first.
func (s *Store) NamedSentences(ctx context.Context, corpus string, w *Scope, entities, used []string, vector []float32, limit int) ([]NamedSentence, error) {
	doubles, err := queryVector(vector)
	if err != nil {
		return nil, fmt.Errorf("read sentences of corpus %s: %w", corpus, err)
	}
	params := w.params(map[string]any{"entities": listOrEmpty(entities), "used": listOrEmpty(used), "vector": doubles, "limit": limit})
	return readAll(ctx, s, readNamedSentences, corpus, params, "read sentences")
}
