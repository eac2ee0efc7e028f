package community_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/leiden"
	"github.com/neorag/neorag/internal/stage/community"
)

// view returns the level view of the hierarchy: the communities of the level and those
// without children of the levels above it.
func view(all []graph.Community, level int) []graph.Community {
	return slices.DeleteFunc(slices.Clone(all), func(c graph.Community) bool {
		return c.Level > level || c.Level < level && !c.Final
	})
}

// depth returns the number of levels.
func depth(all []graph.Community) int {
	depth := 0
	for _, c := range all {
		depth = max(depth, c.Level+1)
	}
	return depth
}

func TestViewCoversEveryClusteredEntityOnce(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 60).Draw(t, "entities")
		names := make([]string, n)
		for i := range names {
			names[i] = fmt.Sprintf("c/%03d", i)
		}
		edges := make(map[[2]string]int)
		for range rapid.IntRange(0, 4*n).Draw(t, "edges") {
			u, v := rapid.IntRange(0, n-1).Draw(t, "u"), rapid.IntRange(0, n-1).Draw(t, "v")
			if u < v {
				edges[[2]string{names[u], names[v]}] = rapid.IntRange(1, 9).Draw(t, "weight")
			}
		}
		s := snapshot(t, names, edges)
		all, stats := detect(t, s, nil, community.Options{Leiden: leiden.Options{MaxSize: rapid.IntRange(2, 10).Draw(t, "max")}})
		var want []string
		for i, k := range s.Keys {
			if s.Graph.Degree(uint32(i)) > 0 {
				want = append(want, k)
			}
		}
		for level := range depth(all) + 1 {
			var got []string
			for _, c := range view(all, level) {
				got = append(got, c.Members...)
			}
			slices.Sort(got)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("entities of level %d (-want +got):\n%s", level, diff)
			}
		}
		if stats.Clustered != len(want) || stats.Isolated != n-len(want) {
			t.Errorf("got %d clustered, %d isolated, want %d, %d", stats.Clustered, stats.Isolated, len(want), n-len(want))
		}
	})
}
