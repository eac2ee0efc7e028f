package layout

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func graphs(t *rapid.T) Graph {
	g := Graph{Seed: rapid.Uint64().Draw(t, "seed")}
	k := rapid.IntRange(0, 12).Draw(t, "communities")
	for i := range k {
		g.Parents = append(g.Parents, int32(rapid.IntRange(-1, i-1).Draw(t, "parent")))
	}
	n := rapid.IntRange(0, 90).Draw(t, "nodes")
	for range n {
		g.Homes = append(g.Homes, int32(rapid.IntRange(-1, k-1).Draw(t, "home")))
		g.Sizes = append(g.Sizes, rapid.SampledFrom([]float64{1, 2, 5, 40, 0, -1, math.NaN(), math.Inf(1)}).Draw(t, "size"))
	}
	if n > 0 {
		for range rapid.IntRange(0, 150).Draw(t, "edges") {
			g.Edges = append(g.Edges, Edge{
				int32(rapid.IntRange(0, n-1).Draw(t, "a")), int32(rapid.IntRange(0, n-1).Draw(t, "b")),
				rapid.SampledFrom([]float64{1, 3, 1000, 0, -4, math.NaN(), math.Inf(1)}).Draw(t, "weight"),
			})
		}
	}
	return g
}

// TestPlace checks that places are finite, that no two nodes have the same one, that
// communities contain their children and members, and that the same graph has the
// same layout.
func TestPlace(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		g := graphs(t)
		l, err := Place(g)
		if err != nil {
			t.Fatal(err)
		}
		if len(l.Nodes) != len(g.Homes) || len(l.Communities) != len(g.Parents) {
			t.Fatalf("got %d node and %d community circles, want %d and %d", len(l.Nodes), len(l.Communities), len(g.Homes), len(g.Parents))
		}
		seen := map[[2]float64]bool{}
		for i, c := range l.Nodes {
			finite(t, c)
			if seen[[2]float64{c.X, c.Y}] {
				t.Fatalf("two nodes are at %v", c)
			}
			seen[[2]float64{c.X, c.Y}] = true
			if g.Homes[i] >= 0 {
				holds(t, l.Communities[g.Homes[i]], c)
			}
		}
		for i, c := range l.Communities {
			finite(t, c)
			if g.Parents[i] >= 0 {
				holds(t, l.Communities[g.Parents[i]], c)
			}
		}
		again, _ := Place(g)
		if diff := cmp.Diff(l, again); diff != "" {
			t.Fatalf("the second layout differs (-first +second):\n%s", diff)
		}
	})
}

func finite(t *rapid.T, c Circle) {
	for _, v := range []float64{c.X, c.Y, c.R} {
		if math.IsNaN(v) || math.IsInf(v, 0) || math.Abs(v) > 1e9 {
			t.Fatalf("%v is not finite", c)
		}
	}
	if c.R <= 0 {
		t.Fatalf("%v has no radius", c)
	}
}

func holds(t *rapid.T, outer, c Circle) {
	if d := math.Hypot(c.X-outer.X, c.Y-outer.Y) + c.R; d > outer.R*(1+1e-6) {
		t.Fatalf("%v reaches %v, outside %v", c, d, outer)
	}
}

func TestPlaceRefuses(t *testing.T) {
	t.Parallel()
	for name, g := range map[string]Graph{
		"a parent after its child": {Parents: []int32{1, -1}},
		"its own parent":           {Parents: []int32{0}},
		"an unknown home":          {Homes: []int32{0}, Sizes: []float64{1}},
		"a missing size":           {Homes: []int32{-1}},
		"an unknown end":           {Homes: []int32{-1}, Sizes: []float64{1}, Edges: []Edge{{0, 1, 1}}},
	} {
		if _, err := Place(g); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// planted returns a graph whose communities, in a tree of the given widths, have twice
// as many links inside as to others.
func planted(nodes, edges int, widths ...int) Graph {
	r := rand.New(rand.NewPCG(1, 2))
	g := Graph{}
	level := []int32{-1}
	for _, w := range widths {
		var next []int32
		for _, p := range level {
			for range w {
				next = append(next, int32(len(g.Parents)))
				g.Parents = append(g.Parents, p)
			}
		}
		level = next
	}
	members := make([][]int32, len(g.Parents)+1)
	for i := range nodes {
		home := level[r.IntN(len(level))]
		g.Homes = append(g.Homes, home)
		g.Sizes = append(g.Sizes, 3+r.Float64()*5)
		members[home+1] = append(members[home+1], int32(i))
	}
	for range edges {
		a, b := int32(r.IntN(nodes)), int32(r.IntN(nodes))
		if own := members[g.Homes[a]+1]; r.IntN(3) > 0 {
			b = own[r.IntN(len(own))]
		}
		g.Edges = append(g.Edges, Edge{a, b, 1 + float64(r.IntN(4))})
	}
	return g
}

// TestLinkedNodesAreClose checks that linked nodes are closer to each other than other
// nodes, with and without communities.
func TestLinkedNodesAreClose(t *testing.T) {
	t.Parallel()
	for name, g := range map[string]Graph{"tree": planted(900, 2700, 6, 5), "flat": flat(planted(600, 1800, 12))} {
		l, err := Place(g)
		if err != nil {
			t.Fatal(err)
		}
		distance := func(a, b int32) float64 {
			return math.Hypot(l.Nodes[a].X-l.Nodes[b].X, l.Nodes[a].Y-l.Nodes[b].Y)
		}
		r := rand.New(rand.NewPCG(3, 4))
		linked, any := 0.0, 0.0
		for _, e := range g.Edges {
			linked += distance(e.A, e.B)
			any += distance(int32(r.IntN(len(g.Homes))), int32(r.IntN(len(g.Homes))))
		}
		if linked > 0.75*any {
			t.Errorf("%s: links are %.2f times as long as random pairs", name, linked/any)
		}
	}
}

func flat(g Graph) Graph {
	g.Parents = nil
	for i := range g.Homes {
		g.Homes[i] = -1
	}
	return g
}

func TestNodesDoNotOverlap(t *testing.T) {
	t.Parallel()
	g := planted(1500, 4500, 8, 4)
	l, err := Place(g)
	if err != nil {
		t.Fatal(err)
	}
	overlaps := 0
	for i, a := range l.Nodes {
		for _, b := range l.Nodes[:i] {
			if math.Hypot(a.X-b.X, a.Y-b.Y) < (a.R+b.R)*0.95 {
				overlaps++
			}
		}
	}
	if overlaps > 0 {
		t.Errorf("%d pairs of %d nodes overlap", overlaps, len(l.Nodes))
	}
}

func BenchmarkPlace(b *testing.B) {
	for name, g := range map[string]Graph{"tree": planted(20_000, 60_000, 25, 8, 4), "flat": flat(planted(20_000, 60_000, 25))} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := Place(g); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
