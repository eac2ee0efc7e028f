package neo4jstore_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// pairsOf returns pairs of a chunk, of which every third is not kept.
func pairsOf(corpus, chunk string, texts ...string) neo4jstore.ChunkQueries {
	c := neo4jstore.ChunkQueries{Chunk: chunk, QueriesFP: "fp", PairsFP: fmt.Sprint(texts), D2Q: []float32{1, 0, 0, 0}, D2QKept: []float32{0, 1, 0, 0}}
	for i, text := range texts {
		c.Pairs = append(c.Pairs, neo4jstore.PairWrite{
			NTokens: 2, Vector: []float32{1, float32(i), float32(len(text)), 0},
			QAPair: neo4jstore.QAPair{Key: graph.QueryKey(corpus, chunk, i), Index: i, Query: text, Answer: "a", FP: text, Kept: i%3 < 2, Similarity: .5},
		})
	}
	return c
}

// linkAll gives each pair the next one as its neighbour.
func linkAll(keys ...string) []neo4jstore.Linked {
	var out []neo4jstore.Linked
	for i, key := range keys {
		out = append(out, neo4jstore.Linked{Key: key, Neighbours: []neo4jstore.Neighbour{{Key: keys[(i+1)%len(keys)], Score: .25}}})
	}
	return out
}

// A pair that changes or is gone loses its edges, and the pairs that had it as a neighbour are
// marked; the others stay as they are.
func TestQueriesLoseTheirEdges(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	corpus := newCorpus(t, s, dimension)
	if _, err := indexWorld(t, s, corpus, worlds[0].world); err != nil {
		t.Fatal(err)
	}
	a := graph.ChunkKey(corpus, graph.DocumentKey(corpus, "a"), worlds[0].world["a"][0], 0)
	settings := neo4jstore.QuerySettings{Count: 4, Alpha: .8, Neighbours: 1, Preset: "news", Unrelated: .1, Near: .5}
	first := pairsOf(corpus, a, "who?", "what?", "left out?", "where?")
	key := func(i int) string { return first.Pairs[i].Key }
	withWriter(t, s, corpus, func(ctx context.Context, w *neo4jstore.Writer) error {
		if err := w.SetQueries(ctx, settings); err != nil {
			return err
		}
		if err := w.WriteQueries(ctx, dimension, []neo4jstore.ChunkQueries{first}); err != nil {
			return err
		}
		return w.WriteNeighbours(ctx, linkAll(key(0), key(1), key(3)))
	})
	second := pairsOf(corpus, a, "who?", "what then?", "left out?")
	second.Pairs[0].Unchanged, second.Pairs[2].Unchanged = true, true
	withWriter(t, s, corpus, func(ctx context.Context, w *neo4jstore.Writer) error {
		return w.WriteQueries(ctx, dimension, []neo4jstore.ChunkQueries{second})
	})
	var got []string
	if err := s.QueryNodes(t.Context(), corpus, func(n neo4jstore.QueryNode) {
		for i, name := range []string{"who", "what", "left out"} {
			if n.Key == key(i) {
				got = append(got, fmt.Sprintf("%s: kept %v, marked %v, %d neighbours", name, n.Kept, n.Marked, len(n.Neighbours)))
			}
		}
	}); err != nil {
		t.Fatal(err)
	}
	want := map[string]bool{
		"who: kept true, marked true, 0 neighbours": true, "what: kept true, marked true, 0 neighbours": true,
		"left out: kept false, marked false, 0 neighbours": true,
	}
	for _, line := range got {
		if !want[line] {
			t.Errorf("got %s", line)
		}
	}
	if len(got) != 3 {
		t.Errorf("%d pairs are left, want 3: %v", len(got), got)
	}
	if n, err := s.KeptQueries(t.Context(), corpus); err != nil || n != 2 {
		t.Errorf("%d pairs are kept, %v, want 2", n, err)
	}
	c, err := s.Corpus(t.Context(), corpus)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(settings, c.Queries); diff != "" {
		t.Errorf("settings (-want +got):\n%s", diff)
	}
	withWriter(t, s, corpus, func(ctx context.Context, w *neo4jstore.Writer) error {
		return w.DropArtifact(ctx, neo4jstore.ArtifactQueries)
	})
	if n, err := s.Counts(t.Context(), corpus); err != nil || n.Queries != 0 {
		t.Errorf("%d pairs are left, %v", n.Queries, err)
	}
}

// Pairs are written, linked and dropped with the first answer to each commit lost.
func testQueriesWithLostAnswers(t *testing.T, plain *neo4jstore.Store, s *lossyStore) {
	t.Helper()
	checkArtifact(t, plain, s, func(store *neo4jstore.Store, corpus string) {
		a := graph.ChunkKey(corpus, graph.DocumentKey(corpus, "a"), worlds[0].world["a"][0], 0)
		pairs := pairsOf(corpus, a, "who?", "what?", "left out?", "where?")
		withWriter(t, store, corpus, func(ctx context.Context, w *neo4jstore.Writer) error {
			if err := w.SetQueries(ctx, neo4jstore.QuerySettings{Count: 4, Alpha: .8, Neighbours: 1}); err != nil {
				return err
			}
			if err := w.WriteQueries(ctx, dimension, []neo4jstore.ChunkQueries{pairs}); err != nil {
				return err
			}
			return w.WriteNeighbours(ctx, linkAll(pairs.Pairs[0].Key, pairs.Pairs[1].Key, pairs.Pairs[3].Key))
		})
	}, func(ctx context.Context, w *neo4jstore.Writer) error {
		return w.DropArtifact(ctx, neo4jstore.ArtifactQueries)
	})
}
