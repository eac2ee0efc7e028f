package ppr

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/neorag/neorag/internal/query/rank"
	"github.com/neorag/neorag/internal/query/retrieve/snapshot"
	"github.com/neorag/neorag/internal/query/retrieve/snapshot/snapshottest"
)

// TestPPRScores works out the scores by hand. There are three entities a, b and x, and two
// chunks c and d: c mentions a, five times, and b; d mentions b and x; a relationship of two
// records joins a and b. Of two facts, the first is about a and b, and the second, with half of
// its score, about b and x.
//
//	weights of entities: a 1/1, b the mean of 1 and .5 by its 2 chunks = .375, x .5/1
//	edges:               a-b 2, and 1 each for a-c, b-c, b-d, x-d
//
// Walks start at the best two, a and x, and with .05 at c, which is like the question. With a
// damping of .5, the walks that come to a node, of which half end there, are
//
//	a = 1   + .5 (2/4 b + 1/2 c)
//	b =       .5 (2/3 a + 1/2 c + 1/2 d)
//	c = .05 + .5 (1/3 a + 1/4 b)
//	d =       .5 (1/4 b + x)
//	x = .5  + .5 (1/2 d)
//
// With x and c replaced, d = (b + 2)/7 and a = 24.3/23 + 27/92 b, so that
// (209/224 - 10.125/92) b = 9.1125/23 + .0125 + 1/14.
func TestPPRScores(t *testing.T) {
	t.Parallel()
	const a, b, x, c, d = 0, 1, 2, 3, 4
	g := snapshottest.Graph{Graph: rank.NewGraph(5, []rank.Edge{
		{A: a, B: b, Weight: 2, Kind: snapshot.Related},
		{A: c, B: a, Weight: 5, Kind: snapshot.Mentioned},
		{A: c, B: b, Weight: 1, Kind: snapshot.Mentioned},
		{A: d, B: b, Weight: 1, Kind: snapshot.Mentioned},
		{A: d, B: x, Weight: 1, Kind: snapshot.Mentioned},
		{A: c, B: d, Weight: 1, Kind: snapshot.Next},
	})}
	facts := []pprFact{{1, []uint32{a, b}}, {.5, []uint32{b, x}}}
	close := cmpopts.EquateApprox(0, 1e-9)
	all := pprEntities(g, facts, 5)
	if diff := cmp.Diff([]rank.Seed{{Node: a, Weight: 1}, {Node: x, Weight: .5}, {Node: b, Weight: .375}}, all, close); diff != "" {
		t.Errorf("entities (-want +got):\n%s", diff)
	}
	got := pprScores(g, pprEntities(g, facts, 2), map[uint32]float64{c: 1, d: 0}, .05)
	wb := (9.1125/23 + .0125 + 1./14) / (209./224 - 10.125/92)
	wa, wd := 24.3/23+27./92*wb, (wb+2)/7
	want := []float64{a: wa, b: wb, x: .5 + wd/4, c: .05 + wa/6 + wb/8, d: wd}
	for i := range want {
		want[i] /= 2 * 1.55
	}
	if diff := cmp.Diff(want, got, close); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestPPRSynonyms works out by hand how walks come from an entity a, which chunk c mentions, to an
// entity b with a similar name, which chunk d mentions. With a damping of .5, the walks that come
// to a node, of which half end there, are
//
//	a = 1 + .5 (c + .8/1.8 b)
//	b =     .5 (.8/1.8 a + d)
//	c =     .5 (1/1.8 a)
//	d =     .5 (1/1.8 b)
//
// so that b = 8/31 a, and a = 1 + (5/36 + 16/279) a.
func TestPPRSynonyms(t *testing.T) {
	t.Parallel()
	const a, b, c, d = 0, 1, 2, 3
	g := snapshottest.Graph{Graph: rank.NewGraph(4, []rank.Edge{
		{A: a, B: b, Weight: .8, Kind: snapshot.Synonym},
		{A: c, B: a, Weight: 1, Kind: snapshot.Mentioned},
		{A: d, B: b, Weight: 2, Kind: snapshot.Mentioned},
	})}
	got := pprScores(g, pprEntities(g, []pprFact{{1, []uint32{a}}}, 5), nil, pprChunk)
	wa := 1116. / 897
	wb := 8. / 31 * wa
	want := []float64{a: wa / 2, b: wb / 2, c: 5. / 36 * wa, d: 5. / 36 * wb}
	if diff := cmp.Diff(want, got, cmpopts.EquateApprox(0, 1e-7)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
