package query

import (
	"testing"

	"github.com/neorag/neorag/internal/llm"
)

// TestEstimates compares estimates of questions: what is read counts once, each window has a call, and
// the answer one more.
func TestEstimates(t *testing.T) {
	t.Parallel()
	p := Prices{Map: llm.Price{In: 1, Out: 2}, Answer: llm.Price{In: 10, Out: 20}}
	q := Question{MapTokens: 8000, CiteRecords: true}
	one, ten := EstimateMapReduce(q, 8000, p), EstimateMapReduce(q, 80_000, p)
	if one.Calls != 2 || ten.Calls != 11 || one.TokensIn <= 8000 || ten.TokensIn <= 80_000 || ten.Cost <= one.Cost {
		t.Errorf("one window %+v, ten %+v", one, ten)
	}
	if none := EstimateMapReduce(q, 0, p); none != (llm.Usage{}) {
		t.Errorf("nothing to read: %+v", none)
	}
	// Of many windows no more points are read than have room in the prompt of the answer.
	free := Prices{Answer: p.Answer}
	if many, limit := EstimateMapReduce(q, 8_000_000, free), EstimateContext(q, 0, 8_000_000, free); many.Cost != limit.Cost {
		t.Errorf("the answer costs %f, at most %f", many.Cost, limit.Cost)
	}
	if context := EstimateContext(Question{ReduceTokens: 1000}, 0, 8000, p); context.Calls != 1 || context.TokensIn < 1000 || context.TokensIn > 2000 || context.Cost != p.Answer.Cost(context) {
		t.Errorf("one context: %+v", context)
	}
}

// TestEstimatesOfSmallCorpora: a context holds no more than the corpus has, and no more than a method
// reads of a large one.
func TestEstimatesOfSmallCorpora(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		sizes                   LevelSizes
		q                       Question
		chunks, local, mappings int64 // tokens beyond those of the prompt
	}{
		"nothing":         {},
		"text":            {sizes: LevelSizes{TextTokens: 356}, chunks: 356, local: 356, mappings: 2 * 356},
		"graph":           {sizes: LevelSizes{TextTokens: 356, otherTokens: 1000}, chunks: 356, local: 1356, mappings: 2 * 356},
		"large":           {sizes: LevelSizes{TextTokens: 1_000_000}, chunks: 8000, local: LocalTokens},
		"smaller context": {sizes: LevelSizes{TextTokens: 356, otherTokens: 1000}, q: Question{ReduceTokens: 200}, chunks: 200, local: 200, mappings: 356 + 200},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tt.q.MapTokens = 8000
			tt.sizes.AddEstimates(tt.q, Prices{})
			got := [2]int64{tt.sizes.ContextEstimate.TokensIn - promptTokens, tt.sizes.LocalEstimate.TokensIn - promptTokens}
			if want := [2]int64{tt.chunks, tt.local}; got != want {
				t.Errorf("tokens of the context of basic and local: got %v, want %v", got, want)
			}
			if e := tt.sizes.TextEstimate; tt.mappings > 0 && e.TokensIn != tt.mappings+2*promptTokens {
				t.Errorf("text: got %+v, want %d tokens and two prompts", e, tt.mappings)
			}
		})
	}
}
