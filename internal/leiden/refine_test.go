package leiden

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// drawGraph draws a graph of n nodes with loops and repeated edges.
func drawGraph(t *rapid.T, n, edges int) *Graph {
	b := NewBuilder(n)
	for range rapid.IntRange(1, edges).Draw(t, "edges") {
		u, v := rapid.IntRange(0, n-1).Draw(t, "u"), rapid.IntRange(0, n-1).Draw(t, "v")
		if err := b.Add(uint32(u), uint32(v), float64(rapid.IntRange(1, 3).Draw(t, "weight"))); err != nil {
			t.Fatal(err)
		}
	}
	g, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// TestRefinement compares the refinement of every community with a plain replay of it
// that applies both connectedness tests of the paper to each merge.
func TestRefinement(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 40).Draw(t, "nodes")
		g := drawGraph(t, n, 4*n)
		stop, release := stopFlag(t.Context())
		defer release()
		s := newSolver(Options{Resolution: 1, batchArcs: batchArcs, reorderNodes: reorderNodes}, stop, nil)
		s.gamma = rapid.Float64Range(0.2, 4).Draw(t, "resolution") / g.total
		s.reserve(n)
		l := s.level(0)
		l.g, l.exact = &g.csr, true
		l.reserve()
		for v := range l.comm {
			l.comm[v] = uint32(rapid.IntRange(0, n/4).Draw(t, "community") % n)
		}
		l.count = s.compact(l.comm, n)
		sortByLabel(l.comm, l.count, l.first, l.members)
		rng := s.rng
		parts := s.refine(l, false)
		seed := rng.next()
		for c := range l.count {
			members := l.members[l.first[c]:l.first[c+1]]
			want := replay(&g.csr, members, s.gamma, derive(seed, uint64(c)))
			for i, v := range members {
				for j, u := range members {
					if (want[i] == want[j]) != (l.coarse[v] == l.coarse[u]) {
						t.Fatalf("members %v: got parts %v, want %v", members, pickRefs(l, members), want)
					}
				}
			}
		}
		checkLists(t, l, parts)
	})
}

func pickRefs(l *level, members []uint32) []uint32 {
	refs := make([]uint32, len(members))
	for i, v := range members {
		refs[i] = l.coarse[v]
	}
	return refs
}

// checkLists checks that parts are numbered community by community and listed.
func checkLists(t *rapid.T, l *level, parts int) {
	n := l.g.nodes()
	first, list := make([]uint32, n+1), make([]uint32, n)
	sortByLabel(l.coarse, parts, first, list)
	if diff := cmp.Diff(first[:parts+1], l.partFirst[:parts+1]); diff != "" {
		t.Errorf("starts of parts (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(list, l.partMembers); diff != "" {
		t.Errorf("nodes by part (-want +got):\n%s", diff)
	}
	for p := 1; p < parts; p++ {
		if l.comm[list[first[p]]] < l.comm[list[first[p-1]]] {
			t.Errorf("part %d lies in an earlier community than part %d", p, p-1)
		}
	}
}

// replay refines one community with sums over all pairs and returns the part of each
// member.
func replay(g *csr, members []uint32, gamma float64, rng random) []int {
	n := len(members)
	part, order := make([]int, n), make([]uint32, n)
	weight := make([][]float64, n)
	for i, v := range members {
		part[i], order[i] = i, uint32(i)
		weight[i] = make([]float64, n)
		row, weights := g.row(v)
		for e, u := range row {
			for j, m := range members {
				if m == u {
					weight[i][j] = 1
					if weights != nil {
						weight[i][j] = float64(weights[e])
					}
				}
			}
		}
	}
	if n == 1 {
		return part
	}
	rng.shuffle(order)
	// well reports whether a part is well connected to the rest of the community.
	well := func(p int) bool {
		k, rest, ext := 0.0, 0.0, 0.0
		for i, v := range members {
			if part[i] != p {
				rest += g.strength[v]
				continue
			}
			k += g.strength[v]
			for j := range members {
				if part[j] != p {
					ext += weight[i][j]
				}
			}
		}
		return ext >= gamma*k*rest
	}
	for _, o := range order {
		i := int(o)
		if alone(part, i) && well(i) {
			best, to := 1e-9, i
			for j := range members { // neighbours ascend, as in the row
				p := part[j]
				if weight[i][j] == 0 || p == i || !well(p) {
					continue
				}
				w, k := 0.0, 0.0
				for m, v := range members {
					if part[m] == p {
						w += weight[i][m]
						k += g.strength[v]
					}
				}
				if gain := w - gamma*g.strength[members[i]]*k; gain > best {
					best, to = gain, p
				}
			}
			part[i] = to
		}
	}
	return part
}

func alone(part []int, i int) bool {
	for j, p := range part {
		if j != i && p == i {
			return false
		}
	}
	return part[i] == i
}
