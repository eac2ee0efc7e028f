package neo4jstore_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// sentencesOf returns sentences of a chunk that all name the same entities.
func sentencesOf(c neo4jstore.SentenceChunk, names []string, ends ...int) neo4jstore.ChunkSentences {
	out := neo4jstore.ChunkSentences{Chunk: c.Key, FP: "fp"}
	for i, end := range ends {
		out.Sentences = append(out.Sentences, neo4jstore.SentenceWrite{
			Key: graph.SentenceKey(graph.CorpusOf(c.Key), c.Key, i), Start: i, End: end, Text: c.Text[i:end], NTokens: 1,
			EmbedFP: "fp", Vector: []float32{1, float32(i), 0, 0}, Names: names,
		})
	}
	return out
}

// pendingSentences marks all chunks and reads the one that mentions most entities.
func pendingSentences(t *testing.T, s *neo4jstore.Store, corpus string) neo4jstore.SentenceChunk {
	t.Helper()
	withWriter(t, s, corpus, func(ctx context.Context, w *neo4jstore.Writer) error {
		_, err := w.MarkAll(ctx, "sentences")
		return err
	})
	chunks, err := s.PendingSentences(t.Context(), corpus, "", 100)
	if err != nil {
		t.Fatal(err)
	}
	var best neo4jstore.SentenceChunk
	for _, c := range chunks {
		if len(c.Entities) > len(best.Entities) {
			best = c
		}
	}
	if len(best.Entities) < 2 {
		t.Fatalf("no chunk of %d mentions two entities", len(chunks))
	}
	return best
}

// entityKeys returns the keys of the entities of a chunk.
func entityKeys(c neo4jstore.SentenceChunk) []string {
	keys := make([]string, len(c.Entities))
	for i, e := range c.Entities {
		keys[i] = e.Entity
	}
	return keys
}

// A chunk loses the sentences that it no longer has, and an unchanged sentence the edges to what
// it no longer names.
func TestSentencesAreReplaced(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	corpus := newCorpus(t, s, dimension)
	if _, err := indexWorld(t, s, corpus, worlds[0].world); err != nil {
		t.Fatal(err)
	}
	c := pendingSentences(t, s, corpus)
	first, second := sentencesOf(c, entityKeys(c), 2, 3, 4), sentencesOf(c, entityKeys(c)[:1], 2, 3)
	second.Sentences[0].Unchanged = true
	for _, step := range []struct {
		write            neo4jstore.ChunkSentences
		sentences, edges int
	}{{first, 3, 3 * len(c.Entities)}, {second, 2, 2}} {
		withWriter(t, s, corpus, func(ctx context.Context, w *neo4jstore.Writer) error {
			return w.WriteSentences(ctx, dimension, []neo4jstore.ChunkSentences{step.write})
		})
		found := query(t, `MATCH (:Chunk {key: $key})-[:HAS_SENTENCE]->(s) OPTIONAL MATCH (s)-[n:NAMES]->() RETURN count(DISTINCT s) AS sentences, count(n) AS edges`, map[string]any{"key": c.Key})
		want := []map[string]any{{"sentences": int64(step.sentences), "edges": int64(step.edges)}}
		if diff := cmp.Diff(want, found); diff != "" {
			t.Errorf("sentences and edges (-want +got):\n%s", diff)
		}
	}
	zero := sentencesOf(c, nil, 2)
	zero.Sentences[0].Vector = []float32{0, 0, 0, 0}
	withWriter(t, s, corpus, func(ctx context.Context, w *neo4jstore.Writer) error {
		if err := w.WriteSentences(ctx, dimension, []neo4jstore.ChunkSentences{zero}); err == nil {
			t.Error("a vector without a direction was written")
		}
		return nil
	})
}

// Sentences are written and dropped with the first answer to each commit lost.
func testSentencesWithLostAnswers(t *testing.T, plain *neo4jstore.Store, s *lossyStore) {
	t.Helper()
	checkArtifact(t, plain, s, func(store *neo4jstore.Store, corpus string) {
		c := pendingSentences(t, store, corpus)
		withWriter(t, store, corpus, func(ctx context.Context, w *neo4jstore.Writer) error {
			if err := w.SetArtifact(ctx, neo4jstore.ArtifactSentences, true); err != nil {
				return err
			}
			return w.WriteSentences(ctx, dimension, []neo4jstore.ChunkSentences{sentencesOf(c, entityKeys(c), 2, 3)})
		})
	}, func(ctx context.Context, w *neo4jstore.Writer) error {
		return w.DropArtifact(ctx, neo4jstore.ArtifactSentences)
	})
}
