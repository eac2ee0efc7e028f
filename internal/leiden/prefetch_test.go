package leiden_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/neorag/neorag/internal/leiden"
)

// Number of nodes from which rows are prefetched: more than any graph of a test has,
// and so few that all have them.
const (
	prefetchNever  = 1 << 40
	prefetchAlways = 1
)

// Prefetching and summing in the L1 table do not change the result.
func TestPrefetchingDoesNotMatter(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s, o := draw(t), options(t).BatchFrom(1)
		without, with := o.PrefetchFrom(prefetchNever), o.PrefetchFrom(prefetchAlways)
		if diff := cmp.Diff(cluster(t, s.graph, without), cluster(t, s.graph, with)); diff != "" {
			t.Fatalf("partition (-without prefetching +with):\n%s", diff)
		}
		if diff := cmp.Diff(hierarchy(t, s.graph, without), hierarchy(t, s.graph, with)); diff != "" {
			t.Fatalf("hierarchy (-without prefetching +with):\n%s", diff)
		}
	})
}

// Real graphs have rows that are too long for the L1 table, and labels that share a
// slot of it.
func TestPrefetchingDoesNotMatterOnRealGraphs(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"celegans_metabolic", "PGPgiantcompo", "kg15k"} {
		g := load(t, name)
		for _, workers := range []int{1, 3} {
			o := leiden.Options{Workers: workers}.BatchFrom(1000)
			if !cmp.Equal(hierarchy(t, g, o.PrefetchFrom(prefetchNever)), hierarchy(t, g, o.PrefetchFrom(prefetchAlways))) {
				t.Errorf("%s, %d workers: prefetching gives another hierarchy", name, workers)
			}
		}
	}
}
