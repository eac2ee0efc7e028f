package leiden_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/neorag/neorag/internal/leiden"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestOptionsRefused(t *testing.T) {
	t.Parallel()
	g := build(t, 2, []edge{{0, 1, 1}})
	for name, o := range map[string]leiden.Options{
		"negative resolution":     {Resolution: -1},
		"resolution not a number": {Resolution: math.NaN()},
		"infinite resolution":     {Resolution: math.Inf(1)},
		"negative size":           {MaxSize: -1},
		"negative workers":        {Workers: -1},
		"unknown effort":          {Effort: leiden.Stable + 1},
		"negative effort":         {Effort: -1},
		"too few previous labels": {Previous: []uint32{0}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := leiden.Cluster(context.Background(), g, o); !errors.Is(err, leiden.ErrOptions) {
				t.Errorf("Cluster: got error %v, want %v", err, leiden.ErrOptions)
			}
			if _, err := leiden.BuildHierarchy(context.Background(), g, o); !errors.Is(err, leiden.ErrOptions) {
				t.Errorf("BuildHierarchy: got error %v, want %v", err, leiden.ErrOptions)
			}
		})
	}
}

func TestEffortNames(t *testing.T) {
	t.Parallel()
	for e := leiden.Default; e <= leiden.Stable; e++ {
		if got, err := leiden.ParseEffort(e.String()); err != nil || got != e {
			t.Errorf("%s: got %v, %v", e, got, err)
		}
	}
	if e, err := leiden.ParseEffort(""); err != nil || e != leiden.Default {
		t.Errorf("no name: got %v, %v, want the default", e, err)
	}
	if _, err := leiden.ParseEffort("quick"); !errors.Is(err, leiden.ErrOptions) {
		t.Errorf("unknown name: got error %v, want %v", err, leiden.ErrOptions)
	}
}

// planted makes groups of nodes with inner edges, and edges between any two.
func planted(tb testing.TB, groups, size, inner, outer int) (int, []edge) {
	tb.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	n := groups * size
	var edges []edge
	for v := range n {
		for range inner {
			u := v/size*size + r.IntN(size)
			if u != v {
				edges = append(edges, edge{uint32(u), uint32(v), 1})
			}
		}
		for range outer {
			if u := r.IntN(n); u != v {
				edges = append(edges, edge{uint32(u), uint32(v), 1})
			}
		}
	}
	return n, edges
}

func TestCanceledInTime(t *testing.T) {
	// Not parallel: it measures time. The best of three tries counts, because
	// other programs may take the processor away.
	n, edges := planted(t, 400, 500, 4, 3)
	g := build(t, n, edges)
	for _, workers := range []int{1, 2} {
		for _, after := range []time.Duration{0, time.Millisecond, 50 * time.Millisecond, 200 * time.Millisecond} {
			late := time.Hour
			for range 3 {
				late = min(late, lateness(t, g, workers, after))
			}
			if late > 100*time.Millisecond {
				t.Errorf("%d workers, after %v: ended %v late, want at most 100ms", workers, after, late)
			}
		}
	}
}

// lateness is how long after its deadline a hierarchy gives up.
func lateness(t *testing.T, g *leiden.Graph, workers int, after time.Duration) time.Duration {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), after)
	defer cancel()
	deadline := time.Now().Add(after)
	_, err := leiden.BuildHierarchy(ctx, g, leiden.Options{Workers: workers, Effort: leiden.Stable})
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%d workers, after %v: got error %v, want %v", workers, after, err, context.DeadlineExceeded)
	}
	return time.Since(deadline)
}

func TestCancelCause(t *testing.T) {
	t.Parallel()
	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(cause)
	if _, err := leiden.Cluster(ctx, build(t, 2, []edge{{0, 1, 1}}), leiden.Options{}); !errors.Is(err, cause) {
		t.Errorf("got error %v, want %v", err, cause)
	}
}

// apart counts the nodes whose community is not the same set of nodes in both.
func apart(a, b []uint32) int {
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

func TestWarmStartKeepsWhatIsStable(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"jazz", "PGPgiantcompo", "hep-th", "kg8k", "kg15k"} {
		g := load(t, name)
		before := cluster(t, g, leiden.Options{Effort: leiden.Stable})
		for _, effort := range []leiden.Effort{leiden.Default, leiden.Fast, leiden.Stable} {
			after := cluster(t, g, leiden.Options{Effort: effort, Previous: before.Labels, Seed: 1})
			if diff := cmp.Diff(before.Labels, after.Labels); diff != "" && effort != leiden.Stable {
				t.Errorf("%s, %v: %d nodes changed in a graph that did not", name, effort, apart(before.Labels, after.Labels))
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
	// One node leaves its group for another; two groups get an edge more.
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
	after := cluster(t, g, leiden.Options{Previous: previous})
	checkPartition(t, g, after)
	if after.Labels[mover] != after.Labels[5*size] || after.Labels[n] != after.Labels[3] {
		t.Errorf("the node that changed sides is in %d, want %d; the new one in %d, want %d",
			after.Labels[mover], after.Labels[5*size], after.Labels[n], after.Labels[3])
	}
	if got := apart(previous, after.Labels); got > 2*size+2 {
		t.Errorf("%d nodes are in communities that changed, want at most the %d of two groups", got, 2*size+2)
	}
	cold := cluster(t, g, leiden.Options{})
	if after.Modularity < cold.Modularity-0.001 {
		t.Errorf("modularity: got %v, want near %v, that of a cold start", after.Modularity, cold.Modularity)
	}
}

// What is below a community follows from the community alone.
func TestUnchangedCommunitiesSplitAsBefore(t *testing.T) {
	t.Parallel()
	const groups, size = 20, 60
	n, edges := planted(t, groups, size, 4, 0)
	h := hierarchy(t, build(t, n, edges), leiden.Options{})
	// The same with another component before all others.
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

func TestDisconnectedPreviousIsSplit(t *testing.T) {
	t.Parallel()
	edges := clique(clique(nil, 0, 6), 6, 6)
	g := build(t, 12, edges)
	for effort := leiden.Default; effort <= leiden.Stable; effort++ {
		p := cluster(t, g, leiden.Options{Effort: effort, Previous: make([]uint32, 12)})
		checkPartition(t, g, p)
		if p.Communities != 2 {
			t.Errorf("%v: got %d communities, want 2", effort, p.Communities)
		}
	}
}
