package tune_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/stage/tune"
)

func TestSampler(t *testing.T) {
	t.Parallel()
	counts := map[string]int{}
	sample := func(seed uint64) []graph.Chunk {
		s := tune.NewSampler(5, seed)
		for i := range 20 {
			s.Add(graph.Chunk{Key: fmt.Sprintf("%02d", i)})
		}
		if s.Seen != 20 {
			t.Fatalf("seen %d", s.Seen)
		}
		return s.Chunks()
	}
	for seed := range uint64(2000) {
		chunks := sample(seed)
		if len(chunks) != 5 || !slices.IsSortedFunc(chunks, func(a, b graph.Chunk) int { return strings.Compare(a.Key, b.Key) }) {
			t.Fatalf("seed %d: %v", seed, chunks)
		}
		for _, c := range chunks {
			counts[c.Key]++
		}
	}
	for key, n := range counts { // 500 are expected, with a standard deviation of 19
		if n < 400 || n > 600 {
			t.Errorf("chunk %s is in %d of 2000 samples of a quarter", key, n)
		}
	}
	if diff := cmp.Diff(sample(7), sample(7)); diff != "" {
		t.Errorf("the same seed (-first +second):\n%s", diff)
	}
}

func TestSpread(t *testing.T) {
	t.Parallel()
	vectors := [][]float32{{1, 0}, {.99, .1}, nil, {0, 1}, {.98, .2}, {-1, 0}}
	if diff := cmp.Diff([]int{0, 3, 5}, tune.Spread(vectors, 3)); diff != "" {
		t.Errorf("three of six (-want +got):\n%s", diff)
	}
	rapid.Check(t, func(rt *rapid.T) {
		var vectors [][]float32
		for range rapid.IntRange(0, 12).Draw(rt, "vectors") {
			var v []float32
			if rapid.Bool().Draw(rt, "text") {
				v = []float32{rapid.Float32Range(-1, 1).Draw(rt, "x"), rapid.Float32Range(-1, 1).Draw(rt, "y")}
			}
			vectors = append(vectors, v)
		}
		n := rapid.IntRange(0, 14).Draw(rt, "n")
		got := tune.Spread(vectors, n)
		if len(got) != min(n, len(vectors)) || len(slices.Compact(slices.Clone(got))) != len(got) || !slices.IsSorted(got) {
			rt.Fatalf("%d of %d: %v", n, len(vectors), got)
		}
	})
}
