package neo4jstore_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/neorag/neorag/cypher"
	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/store/neo4jstore"
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

// TestScoresAreExact compares the scores of a vector search with those of the vectors
// themselves: an index that quantizes them differs, and from one corpus to another of the same
// content.
func TestScoresAreExact(t *testing.T) {
	t.Parallel()
	s, corpus := extracted(t, "Ann Bob. Cid Dan. Eve Fay. Gus Hal")
	asked := []float32{.5, -.3, .7, .1}
	var written []neo4jstore.Embedded
	want := map[string]float64{}
	for i, name := range []string{"ann", "bob", "cid", "dan", "eve", "fay", "gus", "hal"} {
		x := float64(i)
		v := []float32{float32(math.Sin(x)), float32(math.Cos(3 * x)), float32(math.Sin(7*x + 1)), float32(math.Cos(11*x + 2))}
		var dot, own, other float64
		for k := range v {
			dot, own, other = dot+float64(v[k])*float64(asked[k]), own+float64(v[k])*float64(v[k]), other+float64(asked[k])*float64(asked[k])
		}
		key := graph.EntityKey(corpus, name)
		written, want[key] = append(written, neo4jstore.Embedded{Key: key, EmbedFP: "fp", Vector: v}), dot/math.Sqrt(own*other)
	}
	withWriter(t, s, corpus, func(ctx context.Context, w *neo4jstore.Writer) error {
		return w.WriteEmbeddings(ctx, graph.KindEntity, dimension, written)
	})
	hits, err := s.SearchVector(t.Context(), corpus, graph.KindEntity, asked, len(written))
	if err != nil || len(hits) != len(written) {
		t.Fatalf("%d hits, %v, want %d", len(hits), err, len(written))
	}
	for _, h := range hits {
		if math.Abs(h.Score-want[h.Key]) > 1e-6 {
			t.Errorf("%s has the cosine %.6f, want %.6f", h.Key, h.Score, want[h.Key])
		}
	}
}

// TestVectorsAreFloat32 checks that every statement that writes vectors stores numbers of
// 32 bits, which take half of the disk: a number that needs more is rounded.
func TestVectorsAreFloat32(t *testing.T) {
	t.Parallel()
	_, corpus := extracted(t, "Ann")
	const x = 0.1
	key := query(t, "MATCH (d:Document {corpus: $c}) RETURN d.key AS key LIMIT 1", map[string]any{"c": corpus})[0]["key"]
	query(t, "CREATE (:Community {key: $key, corpus: $c})", map[string]any{"key": graph.Key(corpus, "k"), "c": corpus})
	node, vector := graph.Key(corpus, "new"), []float64{x, .2, .3, .4}
	set := map[string]any{"key": node, "corpus": corpus}
	for _, tc := range []struct {
		statement cypher.Statement
		key       string
		row       map[string]any
	}{
		{cypher.WriteChunks, node, map[string]any{"document": key, "key": node, "text": "a", "set": set}},
		{cypher.WriteReports, node, map[string]any{"key": graph.Key(corpus, "k"), "report": node, "set": set}},
		{cypher.WriteEmbeddings.For("Entity"), graph.EntityKey(corpus, "ann"), map[string]any{"key": graph.EntityKey(corpus, "ann")}},
	} {
		tc.row["vector"], tc.row["fp"] = vector, "fp"
		text, params, err := tc.statement.Packed(corpus, map[string]any{"corpus": corpus, "rows": []any{tc.row}})
		if err != nil {
			t.Fatal(err)
		}
		query(t, text, params)
		got := query(t, "MATCH (n {key: $key}) RETURN n.embedding[0] AS x", map[string]any{"key": tc.key})
		if len(got) != 1 || got[0]["x"] != float64(float32(x)) {
			t.Errorf("%s stores %v, want %v", tc.statement, got, float64(float32(x)))
		}
		query(t, "MATCH (n {key: $key}) DETACH DELETE n", map[string]any{"key": tc.key})
	}
}
