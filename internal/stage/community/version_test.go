package community_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/leiden"
	"github.com/neorag/neorag/internal/stage/community"
)

// golden is the hash of the communities of a fixed graph for each version.
var golden = map[string]string{"leiden-2": "5c58624385560f66a5794ef54fa3e3cb"}

// TestVersion checks that communities change only together with the version: otherwise
// corpora would keep communities that a new corpus does not have.
func TestVersion(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	const nodes = 3000
	var names []string
	for i := range nodes {
		names = append(names, fmt.Sprintf("c/%04d", i))
	}
	edges := map[[2]string]int{}
	for range 4 * nodes {
		u := rng.IntN(nodes)
		v := (u + 1 + rng.IntN(1+rng.IntN(200))) % nodes // near ones are more likely
		if u != v {
			edges[[2]string{names[min(u, v)], names[max(u, v)]}] = 1 + rng.IntN(4)
		}
	}
	var found []string
	for _, o := range []leiden.Options{{}, {MaxSize: 20, Seed: 7}, {Resolution: 2, Effort: leiden.Stable}} {
		all, _ := detect(t, snapshot(t, names, edges), nil, community.Options{Leiden: o})
		for _, c := range all {
			found = append(found, fmt.Sprint(c.Key, c.Parent, c.Ordinal, c.Weight, c.Final))
		}
	}
	if len(found) < 300 {
		t.Fatalf("%d communities, want more", len(found))
	}
	if got := graph.Hash(found...); got != golden[community.Version] {
		t.Errorf("communities have the hash %s, and those of %s have %q: if the change is intended, change community.Version and add its hash", got, community.Version, golden[community.Version])
	}
}
