package leiden_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/leiden"
)

// changedNodes counts the nodes whose community is not the same set of nodes in both
// partitions.
func changedNodes(a, b []uint32) int {
	type pair struct{ a, b uint32 }
	both, inA, inB := map[pair]int{}, map[uint32]int{}, map[uint32]int{}
	for v := range a {
		both[pair{a[v], b[v]}]++
		inA[a[v]]++
		inB[b[v]]++
	}
	count := 0
	for p, n := range both {
		if n != inA[p.a] || n != inB[p.b] {
			count += n
		}
	}
	return count
}

// startFrom returns a start with one level, in which every node may have changed.
func startFrom(labels []uint32) *leiden.Start { return &leiden.Start{Levels: [][]uint32{labels}} }

func TestWarmStartKeepsWhatIsStable(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"jazz", "PGPgiantcompo", "hep-th", "kg8k", "kg15k"} {
		g := load(t, name)
		before := cluster(t, g, leiden.Options{Effort: leiden.Stable})
		for _, effort := range []leiden.Effort{leiden.Default, leiden.Fast, leiden.Stable} {
			after := cluster(t, g, leiden.Options{Effort: effort, Start: startFrom(before.Labels), Seed: 1})
			if diff := cmp.Diff(before.Labels, after.Labels); diff != "" && effort != leiden.Stable {
				t.Errorf("%s, %v: %d nodes changed in an unchanged graph", name, effort, changedNodes(before.Labels, after.Labels))
			}
			if after.Modularity < before.Modularity-1e-12 {
				t.Errorf("%s, %v: modularity fell from %v to %v", name, effort, before.Modularity, after.Modularity)
			}
		}
	}
}

func TestWarmStartAfterFewChanges(t *testing.T) {
	t.Parallel()
	const groups, size = 60, 40
	n, edges := planted(t, groups, size, 6, 1)
	before := cluster(t, build(t, n, edges), leiden.Options{})
	// One node moves to another group; two groups get one more edge between them.
	const mover = 7
	var changed []edge
	for _, e := range edges {
		if e.u != mover && e.v != mover {
			changed = append(changed, e)
		}
	}
	for v := range uint32(12) {
		changed = append(changed, edge{mover, 5*size + v, 1})
	}
	changed = append(changed, edge{10 * size, 11 * size, 1}, edge{uint32(n), 3, 1})
	g := build(t, n+1, changed)
	previous := append(append([]uint32(nil), before.Labels...), leiden.None)
	after := cluster(t, g, leiden.Options{Start: startFrom(previous)})
	checkPartition(t, g, after)
	if after.Labels[mover] != after.Labels[5*size] || after.Labels[n] != after.Labels[3] {
		t.Errorf("the moved node is in %d, want %d; the new one in %d, want %d",
			after.Labels[mover], after.Labels[5*size], after.Labels[n], after.Labels[3])
	}
	if got := changedNodes(previous, after.Labels); got > 2*size+2 {
		t.Errorf("%d nodes are in communities that changed, want at most the %d of two groups", got, 2*size+2)
	}
	cold := cluster(t, g, leiden.Options{})
	if after.Modularity < cold.Modularity-0.001 {
		t.Errorf("modularity: got %v, want near %v, that of a cold start", after.Modularity, cold.Modularity)
	}
}

func TestDisconnectedPreviousIsSplit(t *testing.T) {
	t.Parallel()
	edges := clique(clique(nil, 0, 6), 6, 6)
	g := build(t, 12, edges)
	for effort := leiden.Default; effort <= leiden.Stable; effort++ {
		p := cluster(t, g, leiden.Options{Effort: effort, Start: startFrom(make([]uint32, 12))})
		checkPartition(t, g, p)
		if p.Communities != 2 {
			t.Errorf("%v: got %d communities, want 2", effort, p.Communities)
		}
	}
}
