package linear

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/neorag/neorag/internal/query/rank"
	"github.com/neorag/neorag/internal/query/retrieve/snapshot"
	"github.com/neorag/neorag/internal/query/retrieve/snapshot/snapshottest"
)

// TestLinearScores works out the scores by hand. Of two entities a and b and two chunks c and
// d, c mentions a once, and d mentions a once and b three times; a relationship, whose edges are
// not followed, joins a and b.
//
//	weights: a-c 1 of 1 = 1, a-d 1 of 4 = .25, b-d 3 of 4 = .75
//	seeds:   a 1; c .05 (1.5 + ln(1 + ln 2)); d .05 ln(1 + ln 2)
//
// From a, .8 of the steps lead to c and .2 to d; from c all to a; from d .25 to a and .75 to b;
// from b all to d. With a damping of .5, the walks that end at a node are half of those that come
// to it. Let w be the walks that come to a node, and s the seeds:
//
//	w(a) = s(a) + .5 w(c) + .125 w(d)
//	w(b) = .375 w(d)
//	w(c) = s(c) + .4 w(a)
//	w(d) = s(d) + .1 w(a) + .5 w(b)
//
// so that w(d) = (s(d) + .1 w(a)) / .8125 and
// w(a) = (s(a) + .5 s(c) + .125 s(d)/.8125) / (1 - .2 - .0125/.8125).
func TestLinearScores(t *testing.T) {
	t.Parallel()
	const a, b, c, d = 0, 1, 2, 3
	g := snapshottest.Graph{Graph: rank.NewGraph(4, []rank.Edge{
		{A: a, B: b, Weight: 5, Kind: snapshot.Related},
		{A: c, B: a, Weight: 1, Kind: snapshot.Mentioned},
		{A: d, B: a, Weight: 1, Kind: snapshot.Mentioned},
		{A: d, B: b, Weight: 3, Kind: snapshot.Mentioned},
	})}
	got := linearScores(g, map[uint32]Entity{a: {Score: 1, Hop: 1}}, map[uint32]float64{c: 1}, .05, nil)
	sa, sc, sd := 1., .05*(1.5+math.Log1p(math.Ln2)), .05*math.Log1p(math.Ln2)
	wa := (sa + .5*sc + .125*sd/.8125) / (1 - .2 - .0125/.8125)
	wd := (sd + .1*wa) / .8125
	want := []float64{a: wa / 2, b: .375 * wd / 2, c: (sc + .4*wa) / 2, d: wd / 2}
	for i := range want {
		want[i] /= sa + sc + sd
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateApprox(0, 1e-9)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}

	// At the second hop an entity counts half for a chunk; chunks that follow each other are
	// joined by an edge of the weight 1.
	next := snapshottest.Graph{Graph: rank.NewGraph(4, []rank.Edge{{A: c, B: a, Weight: 1, Kind: snapshot.Mentioned}, {A: c, B: d, Weight: 1, Kind: snapshot.Next}})}
	got = linearScores(next, map[uint32]Entity{a: {Score: .5, Hop: 2}}, nil, 1, nil)
	sa, sc = .5, math.Log1p(.5*math.Ln2/2)
	// w(c) = s(c) + .5 w(a) + .5 w(d), w(a) = s(a) + .25 w(c), w(d) = .25 w(c)
	wc := (sc + .5*sa) / .75
	want = []float64{a: (sa + .25*wc) / 2, b: 0, c: wc / 2, d: .25 * wc / 2}
	for i := range want {
		want[i] /= sa + sc
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateApprox(0, 1e-9)); diff != "" {
		t.Errorf("the second hop (-want +got):\n%s", diff)
	}
}
