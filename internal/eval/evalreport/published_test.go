package evalreport_test

import (
	"math"
	"testing"

	"github.com/neorag/neorag/internal/eval/evalrun"
)

// TestSharesOfTable2 computes the shares of table 2 of the GraphRAG paper from its tokens. The
// paper prints 22.2 for 22.25.
func TestSharesOfTable2(t *testing.T) {
	t.Parallel()
	for corpus, table := range map[string]struct {
		tokens []int
		share  []float64
	}{
		"podcast transcripts": {[]int{26657, 225756, 565720, 746100, 1014611}, []float64{2.6, 22.2, 55.8, 73.5, 100}},
		"news articles":       {[]int{39770, 352641, 980898, 1140266, 1707694}, []float64{2.3, 20.7, 57.4, 66.8, 100}},
	} {
		w := newWriter(t)
		q := w.question(evalrun.Question{ID: "1", Text: "What are the themes?"})
		for i, tokens := range table.tokens {
			w.answer(w.condition(evalrun.Condition{Method: []string{"C0", "C1", "C2", "C3", "TS"}[i], Corpus: corpus}), q, tokens)
		}
		r := w.report()
		for i, want := range table.share {
			if got := 100 * r.Costs[i].ShareOfMost; math.Abs(got-want) > .051 {
				t.Errorf("%s, %s: %.2f %%, want %v %%", corpus, r.Costs[i].Condition, got, want)
			}
		}
	}
}
