package neo4jstore_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// documentNodes reads all documents of a corpus.
func documentNodes(t *testing.T, s *neo4jstore.Store, corpus string) []neo4jstore.DocumentNode {
	t.Helper()
	var all []neo4jstore.DocumentNode
	if err := s.DocumentNodes(t.Context(), corpus, func(n neo4jstore.DocumentNode) { all = append(all, n) }); err != nil {
		t.Fatal(err)
	}
	return all
}

// linkDocuments gives the first two documents vectors and edges to each other, and the others
// neither.
func linkDocuments(ctx context.Context, w *neo4jstore.Writer, all []neo4jstore.DocumentNode) error {
	lists := make([]neo4jstore.Linked, len(all))
	for i, n := range all {
		lists[i].Key = n.Key
	}
	for i := range 2 {
		lists[i].Vector = []float32{.6, .8, 0, 0}
		lists[i].Neighbours = []neo4jstore.Neighbour{{Key: all[1-i].Key, Score: .9}}
	}
	return w.WriteDocumentLinks(ctx, lists)
}

// A document is marked if it is written, a vector of a chunk of it is, or a document is deleted
// that it has an edge to; in a corpus without such edges it is not.
func TestDocumentMarks(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	corpus := newCorpus(t, s, dimension)
	if _, err := indexWorld(t, s, corpus, worlds[0].world); err != nil {
		t.Fatal(err)
	}
	all := documentNodes(t, s, corpus)
	first := graph.ChunkKey(corpus, all[0].Key, worlds[0].world[graph.Local(all[0].Key)][0], 0)
	embedded := func(ctx context.Context, w *neo4jstore.Writer) error {
		return w.WriteEmbeddings(ctx, graph.KindChunk, dimension, []neo4jstore.Embedded{{Key: first, EmbedFP: "fp", Vector: []float32{1, 0, 0, 0}}})
	}
	for _, step := range []struct {
		name string
		work func(context.Context, *neo4jstore.Writer) error
		want []bool // marks of the first two documents
	}{
		{"a vector in a corpus without edges", embedded, []bool{false, false}},
		{"edges", func(ctx context.Context, w *neo4jstore.Writer) error {
			if err := w.SetArtifact(ctx, neo4jstore.ArtifactDocumentLinks, true); err != nil {
				return err
			}
			if _, err := w.MarkAll(ctx, "documents"); err != nil {
				return err
			}
			return linkDocuments(ctx, w, all)
		}, []bool{false, false}},
		{"the vector of a chunk", embedded, []bool{true, false}},
		{"an unchanged vector", func(ctx context.Context, w *neo4jstore.Writer) error {
			if err := linkDocuments(ctx, w, all); err != nil {
				return err
			}
			return w.WriteEmbeddings(ctx, graph.KindChunk, dimension, []neo4jstore.Embedded{{Key: first, EmbedFP: "fp", Unchanged: true}})
		}, []bool{true, false}},
		{"a deleted document", func(ctx context.Context, w *neo4jstore.Writer) error {
			return w.RemoveDocuments(ctx, []string{all[0].Key})
		}, []bool{true}},
	} {
		withWriter(t, s, corpus, step.work)
		got := []bool{}
		for _, n := range documentNodes(t, s, corpus) {
			got = append(got, n.Marked)
		}
		if diff := cmp.Diff(step.want, got); diff != "" {
			t.Errorf("%s: marks (-want +got):\n%s", step.name, diff)
		}
	}
}

// Vectors of chunks are read in pages: the last one says so.
func TestChunkVectors(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	corpus := newCorpus(t, s, dimension)
	if _, err := indexWorld(t, s, corpus, worlds[2].world); err != nil {
		t.Fatal(err)
	}
	var keys []string
	for _, n := range documentNodes(t, s, corpus) {
		keys = append(keys, n.Key)
	}
	query(t, `MATCH (c:Chunk {corpus: $corpus, text: 'Joe'}) SET c.todo_embed = $corpus`, map[string]any{"corpus": corpus})
	read := func(s *neo4jstore.Store) (all []neo4jstore.ChunkVector) {
		if err := s.ChunkVectors(t.Context(), corpus, keys, func(c neo4jstore.ChunkVector) { all = append(all, c) }); err != nil {
			t.Fatal(err)
		}
		return all
	}
	whole := read(s)
	without := 0
	for _, c := range whole {
		if c.Vector == nil {
			without++
		}
	}
	if len(whole) != 6 || without != 1 {
		t.Errorf("%d chunks, %d of them without a vector, want 6 and the one that is to be embedded again", len(whole), without)
	}
	if diff := cmp.Diff(whole, read(s.WithPages(2))); diff != "" {
		t.Errorf("in pages (-whole +pages):\n%s", diff)
	}
}

// Lost answers change nothing about edges between documents, nor do edges that were dropped.
func testDocumentLinksWithLostAnswers(t *testing.T, plain *neo4jstore.Store, s *lossyStore) {
	t.Helper()
	checkArtifact(t, plain, s, func(store *neo4jstore.Store, corpus string) {
		withWriter(t, store, corpus, func(ctx context.Context, w *neo4jstore.Writer) error {
			if err := w.SetArtifact(ctx, neo4jstore.ArtifactDocumentLinks, true); err != nil {
				return err
			}
			if _, err := w.MarkAll(ctx, "documents"); err != nil {
				return err
			}
			return linkDocuments(ctx, w, documentNodes(t, plain, corpus))
		})
		if n := documentNodes(t, plain, corpus)[0]; len(n.Vector) != 4 || n.Marked || len(n.Neighbours) != 1 || n.Chunks != 2 {
			t.Errorf("the first document is %+v", n)
		}
	}, func(ctx context.Context, w *neo4jstore.Writer) error {
		return w.DropArtifact(ctx, neo4jstore.ArtifactDocumentLinks)
	})
}
