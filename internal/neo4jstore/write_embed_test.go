package neo4jstore_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/neo4jstore"
)

func TestWriteEmbeddingsChecks(t *testing.T) {
	t.Parallel()
	s, corpus := extracted(t, "Ann")
	ann := graph.EntityKey(corpus, "ann")
	write := func(v ...float32) error {
		return s.WithWriter(t.Context(), corpus, "x", 0, func(ctx context.Context, writer *neo4jstore.Writer) error {
			return writer.WriteEmbeddings(ctx, graph.KindEntity, dimension, []neo4jstore.Embedded{{Key: ann, EmbedFP: "fp", Vector: v}})
		})
	}
	if err := write(1, 2, 3); !errors.Is(err, neo4jstore.ErrDimension) {
		t.Errorf("three numbers of four: %v, want ErrDimension", err)
	}
	for _, x := range []float32{0, float32(math.NaN()), float32(math.Inf(1))} {
		if err := write(0, 0, 0, x); err == nil {
			t.Errorf("a vector with norm %v was written", x)
		}
	}
	if err := write(0, 0, 3, 4); err != nil {
		t.Fatal(err)
	}
	hits, err := s.SearchVector(t.Context(), corpus, graph.KindEntity, []float32{0, 0, 3, 4}, 1)
	if err != nil || len(hits) != 1 || hits[0].Key != ann || math.Abs(hits[0].Score-1) > 1e-3 {
		t.Errorf("found %v, %v", hits, err)
	}
	if err := write(); err != nil { // a text with nothing to embed
		t.Fatal(err)
	}
	if n := number(t, "MATCH (e:Entity {key: $key}) WHERE e.embedding IS NULL AND e.embed_fp = 'fp' RETURN count(e)", map[string]any{"key": ann}); n != 1 {
		t.Error("an empty vector must remove the old one and write the fingerprint")
	}
}
