package leiden_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/leiden"
)

// What is found below a community depends only on the community.
func TestUnchangedCommunitiesSplitAsBefore(t *testing.T) {
	t.Parallel()
	const groups, size = 20, 60
	n, edges := planted(t, groups, size, 4, 0)
	h := hierarchy(t, build(t, n, edges), leiden.Options{})
	// The same graph with another component before all others.
	shifted := clique(nil, 0, 5)
	for _, e := range edges {
		shifted = append(shifted, edge{e.u + 5, e.v + 5, e.w})
	}
	h2 := hierarchy(t, build(t, n+5, shifted), leiden.Options{})
	sets := func(h *leiden.Hierarchy, shift uint32) map[string]bool {
		all := make(map[string]bool)
		for level := 1; level < len(h.Levels); level++ {
			for _, c := range h.Levels[level] {
				members := append([]byte(nil), byte(level))
				seen := make([]byte, n+5)
				for _, v := range h.Order[c.First:c.Last] {
					seen[v-shift] = 1
				}
				all[string(append(members, seen[:n]...))] = true
			}
		}
		return all
	}
	if diff := cmp.Diff(len(sets(h, 0)), len(sets(h2, 5))); diff != "" || !cmp.Equal(sets(h, 0), sets(h2, 5)) {
		t.Errorf("communities below unchanged roots differ, in number (-before +after): %s", diff)
	}
}
