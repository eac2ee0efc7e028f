package leiden

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// modularityAndGain agrees with the definition for any partition that keeps leaves with
// their stems: the modularity, and the best one after moving one node.
func TestAssess(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 25).Draw(t, "nodes")
		g := drawGraph(t, n, 2*n) // few edges, for leaves and stars
		resolution := rapid.SampledFrom([]float64{.5, 1, 3}).Draw(t, "resolution")
		stop, release := stopFlag(t.Context())
		defer release()
		reorder := rapid.SampledFrom([]int{1, reorderNodes}).Draw(t, "reordered from")
		s := newSolver(Options{Resolution: resolution, batchArcs: batchArcs, reorderNodes: reorder}, stop, nil)
		labels := make([]uint32, n)
		s.partition(&g.csr, labels, resolution, Options{Effort: Fast}.plan(g.arcs), start{})
		drawn := make([]uint32, n)
		for i := range drawn {
			drawn[i] = uint32(rapid.IntRange(0, n/3).Draw(t, "community"))
		}
		copy(labels, drawn)
		if s.base > 0 {
			stems := uint32(s.baseGraph().nodes())
			for v, stem := range s.levels[0].coarse {
				labels[v] = stem // of a star
				if stem < stems {
					labels[v] = drawn[stem] % stems // smaller than those of stars
				}
			}
		}
		count := s.compact(labels, n)
		q, gain := s.modularityAndGain(labels, count, resolution)
		if want := Modularity(g, labels, resolution); math.Abs(q-want) > 1e-12 {
			t.Errorf("modularity %v, want %v", q, want)
		}
		most := 0.0
		for v, own := range labels {
			for c := range uint32(count + 1) {
				labels[v] = c
				most = max(most, Modularity(g, labels, resolution)-q)
			}
			labels[v] = own
		}
		if math.Abs(gain-most) > 1e-12 {
			t.Errorf("best move gains %v, want %v", gain, most)
		}
	})
}
