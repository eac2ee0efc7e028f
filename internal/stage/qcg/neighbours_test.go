package qcg_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/neorag/neorag/internal/stage/qcg"
)

// vectors draws few different directions, so that many cosines tie.
func vectors(most int) *rapid.Generator[[][]float32] {
	one := rapid.Custom(func(t *rapid.T) []float32 {
		v := make([]float32, 11)
		sum := 0.
		for i := range v {
			v[i] = float32(rapid.IntRange(-2, 2).Draw(t, "x"))
			sum += float64(v[i]) * float64(v[i])
		}
		if sum == 0 {
			v[0], sum = 1, 1
		}
		for i := range v {
			v[i] = float32(float64(v[i]) / math.Sqrt(sum))
		}
		return v
	})
	return rapid.SliceOfN(one, 1, most)
}

func setOf(all [][]float32) *qcg.Set {
	s := qcg.NewSet(11, len(all))
	for i, v := range all {
		s.Add(fmt.Sprintf("c/%03d", i), v)
	}
	return s
}

// Neighbours are those of a search that compares all and sorts.
func TestNearest(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		all := vectors(80).Draw(t, "vectors")
		k := rapid.IntRange(1, 5).Draw(t, "k")
		s := setOf(all)
		nodes := make([]int, len(all))
		for i := range nodes {
			nodes[i] = i
		}
		got, err := s.Nearest(t.Context(), nodes, k, 2)
		if err != nil {
			t.Fatal(err)
		}
		for i := range all {
			var want []qcg.Neighbour
			for j := range all {
				if x := s.Similarity(i, j); j != i && x > 0 {
					want = append(want, qcg.Neighbour{Key: s.Key(j), Score: x})
				}
			}
			slices.SortFunc(want, func(a, b qcg.Neighbour) int {
				switch {
				case a.Score > b.Score, a.Score == b.Score && a.Key < b.Key:
					return -1
				default:
					return 1
				}
			})
			want = want[:min(k, len(want))]
			if !slices.Equal(want, got[i]) {
				t.Fatalf("node %d (-want +got):\n%s", i, cmp.Diff(want, got[i]))
			}
		}
	})
}

// Long vectors, some of them near to each other, have the neighbours of a search that computes
// every cosine as a whole.
func TestNearestOfLongVectors(t *testing.T) {
	t.Parallel()
	for _, dimension := range []int{1, 63, 64, 65, 130, 384} {
		random := rand.New(rand.NewPCG(1, uint64(dimension)))
		s := qcg.NewSet(dimension, 0)
		v := make([]float32, dimension)
		for i := range 120 {
			sum := 0.
			for j := range v { // a few numbers differ from the vector before
				if i%10 == 0 || random.Float64() < .1 {
					v[j] = float32(random.NormFloat64())
				}
				sum += float64(v[j]) * float64(v[j])
			}
			unit := make([]float32, dimension)
			for j := range v {
				unit[j] = float32(float64(v[j]) / math.Sqrt(sum))
			}
			s.Add(fmt.Sprintf("c/%03d", i), unit)
		}
		everyone := make([]int, s.Len())
		for i := range everyone {
			everyone[i] = i
		}
		for _, b := range []qcg.Bound{{K: 3}, {K: 100, Least: .8}, {K: 2, Least: .5}} {
			got, err := s.Relink(t.Context(), make([][]qcg.Neighbour, s.Len()), everyone, b, 2)
			if err != nil {
				t.Fatal(err)
			}
			for i := range everyone {
				var want []qcg.Neighbour
				for j := range everyone {
					if x := s.Similarity(i, j); i != j && x >= b.Least {
						want = qcg.Insert(want, qcg.Neighbour{Key: s.Key(j), Score: x}, b.K)
					}
				}
				if !slices.Equal(want, got[i]) {
					t.Fatalf("dimension %d, %+v, node %d (-want +got):\n%s", dimension, b, i, cmp.Diff(want, got[i]))
				}
			}
		}
	}
}

// Inserting neighbours one by one, in any order, gives the list of the nearest.
func TestInsert(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := setOf(vectors(20).Draw(t, "vectors"))
		k := rapid.IntRange(1, 4).Draw(t, "k")
		want, err := s.Nearest(t.Context(), []int{0}, k, 1)
		if err != nil {
			t.Fatal(err)
		}
		order := make([]int, 0, s.Len())
		for j := 1; j < s.Len(); j++ {
			order = append(order, j, j) // twice, which changes nothing
		}
		var got []qcg.Neighbour
		for _, j := range rapid.Permutation(order).Draw(t, "order") {
			got = qcg.Insert(got, qcg.Neighbour{Key: s.Key(j), Score: s.Similarity(0, j)}, k)
		}
		if !slices.Equal(want[0], got) {
			t.Fatalf("(-nearest +inserted):\n%s", cmp.Diff(want[0], got))
		}
	})
}

// Lists that are updated after some vectors changed are those of a new set.
func TestRelink(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		all := vectors(40).Draw(t, "vectors")
		b := qcg.Bound{K: rapid.IntRange(1, 5).Draw(t, "k"), Least: rapid.SampledFrom([]float64{0, .3, .8}).Draw(t, "least")}
		everyone := make([]int, len(all))
		for i := range everyone {
			everyone[i] = i
		}
		relink := func(lists [][]qcg.Neighbour, marked []int) [][]qcg.Neighbour {
			out, err := setOf(all).Relink(t.Context(), lists, marked, b, 2)
			if err != nil {
				t.Fatal(err)
			}
			return out
		}
		lists := relink(make([][]qcg.Neighbour, len(all)), everyone)
		changed := map[string]bool{}
		s := setOf(all)
		for _, node := range rapid.SliceOf(rapid.SampledFrom(everyone)).Draw(t, "changed") {
			changed[s.Key(node)] = true
			all[node] = vectors(1).Draw(t, "vector")[0]
		}
		var marked []int
		for node, list := range lists {
			rest := slices.DeleteFunc(slices.Clone(list), func(n qcg.Neighbour) bool { return changed[n.Key] })
			if changed[s.Key(node)] || len(list) == b.K && len(rest) < b.K {
				marked = append(marked, node)
			}
			lists[node] = rest
		}
		got, want := relink(lists, marked), relink(make([][]qcg.Neighbour, len(all)), everyone)
		for node := range want {
			if !slices.Equal(want[node], got[node]) {
				t.Fatalf("node %d (-new +updated):\n%s", node, cmp.Diff(want[node], got[node]))
			}
		}
	})
}

func TestCalibrate(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		scale       qcg.Scale
		gamma, want float64
	}{
		{qcg.PaperScale, 1.5, 1.5},
		{qcg.PaperScale, 1, 1},
		{qcg.Scale{}, 1.5, 1.5},
		{qcg.Scale{Unrelated: .6, Near: .9}, 1, 1},
		{qcg.Scale{Unrelated: .6, Near: .9}, 1.025, 1.3},
		{qcg.Scale{Unrelated: .6, Near: .9}, 1.05, 1.6},
		{qcg.Scale{Unrelated: .6, Near: .9}, 1.7, 1.9},
	} {
		if got := tt.scale.Calibrate(tt.gamma); got != tt.want {
			t.Errorf("%+v.Calibrate(%g) = %g, want %g", tt.scale, tt.gamma, got, tt.want)
		}
	}
}

// A scale depends on the nodes, and not on the name of the corpus.
func TestScale(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		all := vectors(60).Draw(t, "vectors")
		var scales []qcg.Scale
		for _, corpus := range []string{"a/", "other/"} {
			s := qcg.NewSet(11, len(all))
			nodes := make([]int, len(all))
			for i, v := range all {
				nodes[i] = i
				s.Add(fmt.Sprintf("%s%03d", corpus, i), v)
			}
			lists, err := s.Nearest(t.Context(), nodes, 3, 1)
			if err != nil {
				t.Fatal(err)
			}
			scales = append(scales, s.Scale(lists))
		}
		if scales[0] != scales[1] {
			t.Fatalf("%+v and %+v", scales[0], scales[1])
		}
	})
}

func TestScoreChunks(t *testing.T) {
	t.Parallel()
	hits := []qcg.Hit{{Key: "a1", Chunk: "a", Score: 1.8}, {Key: "b1", Chunk: "b", Score: 1.6}, {Key: "a2", Chunk: "a", Score: 1.2, Hop: 1}, {Key: "c1", Chunk: "c", Score: 1.5}, {Key: "c2", Chunk: "c", Score: 1.5}}
	var got []string
	for _, c := range qcg.ScoreChunks(hits) {
		got = append(got, fmt.Sprintf("%s %.2f %d", c.Chunk, c.Score, len(c.Hits)))
	}
	if diff := cmp.Diff([]string{"b 1.60 1", "a 1.50 2", "c 1.50 2"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if seeds := qcg.Seeds(hits, 1.5, 3); len(seeds) != 3 || seeds[0].Key != "a1" || seeds[2].Key != "c1" {
		t.Errorf("seeds %+v", seeds)
	}
	for _, tt := range []struct {
		n     int
		share float64
		want  int
	}{{20, .8, 16}, {3, .5, 2}, {5, .2, 1}, {1, .1, 1}, {0, .8, 0}, {7, 1, 7}} {
		if got := qcg.Kept(tt.n, tt.share); got != tt.want {
			t.Errorf("Kept(%d, %g) = %d, want %d", tt.n, tt.share, got, tt.want)
		}
	}
}
