package rank_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/query/rank"
)

// asked is a question with three terms, of which one is a name and one a number, and of which
// the last two follow each other.
func asked() *rank.QuestionTerms {
	return rank.NewQuestionTerms([]rank.QuestionTerm{
		{Term: "paid", Weight: 1}, {Term: "marley", Weight: 2, Capital: true}, {Term: "1843", Weight: 1, Number: true},
	}, []string{"paid", "none", "marley", "1843"})
}

func TestOverlap(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name     string
		passages [][]string
		lead     []string
		want     rank.Overlap
	}{
		{"nothing", [][]string{{"fog"}}, nil, rank.Overlap{}},
		{"all, in order", [][]string{{"paid", "fog", "marley", "1843"}}, nil, rank.Overlap{Coverage: 1, Capitals: 1, Numbers: 1, Window: 1, Bigrams: .5}},
		{"the lead counts only as covered", [][]string{{"paid"}}, []string{"1843"}, rank.Overlap{Coverage: .5, Numbers: 1, Window: .25}},
		{"the best passage of each measure", [][]string{{"marley"}, {"paid", "1843"}}, nil, rank.Overlap{Coverage: .5, Capitals: 1, Numbers: 1, Window: .5}},
		{"bigrams of all passages", [][]string{{"paid", "marley"}, {"marley", "1843"}}, nil, rank.Overlap{Coverage: .75, Capitals: 1, Numbers: 1, Window: .75, Bigrams: 1}},
	} {
		var got rank.Overlap
		for _, p := range tt.passages {
			got.Add(asked(), p, tt.lead)
		}
		if diff := cmp.Diff(tt.want, got, approx, cmp.FilterPath(func(p cmp.Path) bool { return p.Last().String() == ".bigrams" }, cmp.Ignore())); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

// A window holds 25 terms.
func TestOverlapWindow(t *testing.T) {
	t.Parallel()
	far := append([]string{"paid"}, make([]string, 24)...)
	far = append(far, "marley")
	var got, near rank.Overlap
	got.Add(asked(), far, nil)
	near.Add(asked(), far[1:], nil)
	if got.Window != .5 || near.Window != .5 || got.Coverage != .75 {
		t.Errorf("windows %v and %v, coverage %v", got.Window, near.Window, got.Coverage)
	}
	var together rank.Overlap
	together.Add(asked(), append([]string{"paid"}, far[2:]...), nil)
	if together.Window != .75 {
		t.Errorf("window %v of neighbouring terms, want .75", together.Window)
	}
}

func TestTitle(t *testing.T) {
	t.Parallel()
	rarity := func(string) float64 { return 2 }
	for _, tt := range []struct {
		terms []string
		want  float64
	}{
		{nil, 0}, {[]string{"fog"}, 0}, {[]string{"marley"}, 1}, {[]string{"marley", "marley", "fog"}, .5},
	} {
		if got := asked().TitleScore(tt.terms, rarity); got != tt.want {
			t.Errorf("Title(%v) = %v, want %v", tt.terms, got, tt.want)
		}
	}
}

func TestSpoken(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		speaker, around []string
		want            float64
	}{
		{[]string{"marley"}, []string{"paid", "paid", "marley"}, .5},
		{[]string{"marley"}, []string{"1843", "paid"}, 1},
		{[]string{"bob"}, []string{"1843", "paid"}, 0},
		{[]string{"paid"}, []string{"1843", "marley"}, 0}, // too frequent to name a speaker
	} {
		if got := asked().SpeakerScore(tt.speaker, tt.around); math.Abs(got-tt.want) > 1e-9 {
			t.Errorf("%v says %v: %v, want %v", tt.speaker, tt.around, got, tt.want)
		}
	}
}

// Terms that are typical of the best text come first, and common ones not at all.
func TestFeedback(t *testing.T) {
	t.Parallel()
	rarity := func(term string) float64 {
		if term == "the" {
			return 0
		}
		return 1
	}
	terms, weights := rank.Feedback([]rank.FeedbackText{
		{Terms: []string{"ghost", "ghost", "chain", "the"}, Score: 3}, {Terms: []string{"chain", "fog"}, Score: 1}, {Score: 1},
	}, rarity)
	if diff := cmp.Diff([]string{"ghost", "chain", "fog"}, terms); diff != "" {
		t.Errorf("terms (-want +got):\n%s", diff)
	}
	// 3/5 * 2/4, 3/5 * 1/4 + 1/5 * 1/2, 1/5 * 1/2: .3, .25, .1.
	if diff := cmp.Diff([]float64{.3 / .65, .25 / .65, .1 / .65}, weights, approx); diff != "" {
		t.Errorf("weights (-want +got):\n%s", diff)
	}
}

func TestFeaturesScore(t *testing.T) {
	t.Parallel()
	weights := rank.Features{Passage: 2, Length: -1, Graph: 1}
	for _, tt := range []struct {
		evidence rank.Features
		want     float64
	}{
		{rank.Features{}, 0},
		{rank.Features{Passage: .5, Length: .25, Title: 9}, .75},
		{rank.Features{Passage: math.NaN(), Graph: 1}, 1},
		{rank.Features{Passage: math.Inf(1), Graph: 1}, 1},
	} {
		if got := tt.evidence.Score(weights); got != tt.want {
			t.Errorf("score %v of %+v, want %v", got, tt.evidence, tt.want)
		}
	}
	e := rank.Features{}
	for _, part := range e.Named() {
		*part = 1
	}
	if e.Score(weights) != 2 {
		t.Errorf("Named leaves parts out: %+v", e)
	}
}
