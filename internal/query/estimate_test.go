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
	if many, limit := EstimateMapReduce(q, 8_000_000, free), EstimateContext(q, free); many.Cost != limit.Cost {
		t.Errorf("the answer costs %f, at most %f", many.Cost, limit.Cost)
	}
	if context := EstimateContext(Question{ReduceTokens: 1000}, p); context.Calls != 1 || context.TokensIn < 1000 || context.TokensIn > 2000 || context.Cost != p.Answer.Cost(context) {
		t.Errorf("one context: %+v", context)
	}
}
