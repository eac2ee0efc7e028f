package main

import (
	"math/rand/v2"

	"github.com/neorag/neorag/internal/eval/score"
	"github.com/neorag/neorag/internal/query/methods/fused"
	"github.com/neorag/neorag/internal/query/rank"
)

// A topic is the questions of one folder.
type topic struct {
	name      string
	questions []question
}

// A question has its metrics by BM25, and the ranks of its evidence by weights of fused.
type question struct {
	bm25  score.Metrics
	ranks func(rank.Features) []int
}

// A figure is one of the metrics of a question.
type figure func(score.Metrics) float64

func recall5(m score.Metrics) float64 { return m.Recall5 }
func mrr(m score.Metrics) float64     { return m.MRR }

// equal are weights that no question was looked at for. The length of a document speaks against
// it, and is the logarithm of a count, which is 4 for some 50 passages.
var equal = rank.Features{
	Passage: 1, Pair: 1, Bigrams: 1, Window: 1, Coverage: 1, Capitals: 1, Numbers: 1, Title: 1, Head: 1, Speaker: 1, Length: -.25,
	Feedback: 1, Entities: 1, Vectors: 1,
}

// multiples of an equal weight are tried.
var multiples = []float64{0, .25, .5, 1, 2, 4}

// choose returns the weights with which a figure is highest on the topics: from the start it
// changes one weight at a time to the best multiple, until no such change helps.
func choose(topics []topic, f figure, start rank.Features) rank.Features {
	units, best, top := equal, start, mean(differences(topics, start, f))
	for helps := true; helps; {
		helps = false
		for _, name := range fused.TuningNames() {
			unit := *units.Named()[name]
			if unit == 0 {
				continue
			}
			for _, m := range multiples {
				next := best
				*next.Named()[name] = float64(m * unit)
				if score := mean(differences(topics, next, f)); score > top+least {
					best, top, helps = next, score, true
				}
			}
		}
	}
	return best
}

// draws is how many weights a search for the best ones on a topic also starts from.
const draws = 20

// drawn returns weights at random multiples, always the same.
func drawn() []rank.Features {
	draw := rand.New(rand.NewPCG(1, draws)) // #nosec G404 -- the draws need not be secret
	units, out := equal, make([]rank.Features, draws)
	for i := range out {
		for _, name := range fused.TuningNames() {
			*out[i].Named()[name] = float64(multiples[draw.IntN(len(multiples))] * *units.Named()[name])
		}
	}
	return out
}

// least is the smallest difference of figures that counts.
const least = 1e-9

// differences returns how much more a figure is with the weights than by BM25, for each question.
func differences(topics []topic, weights rank.Features, f figure) []float64 {
	var out []float64
	for _, t := range topics {
		for _, q := range t.questions {
			out = append(out, f(score.MetricsOf(q.ranks(weights)))-f(q.bm25))
		}
	}
	return out
}

func mean(values []float64) float64 {
	sum := 0.
	for _, v := range values {
		sum += v
	}
	return sum / max(1, float64(len(values)))
}
