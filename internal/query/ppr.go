package query

import (
	"context"

	"github.com/neorag/neorag/internal/query/expand"
	"github.com/neorag/neorag/internal/query/retrieve"
)

var _ = Register(Method{
	Name:    "ppr",
	Summary: "chunks by walks from the facts that are near to the question, over entities and the chunks that mention them (HippoRAG 2)",
	Profile: Profile{
		Reads: "the chunks that the relationships nearest to the question lead to; with a model only those that it chooses",
		Use:   "questions that need several facts",
		Uses:  []Artifact{Vectors, Synonyms},
		Paper: PaperOf(hippoRAG, "3"),
		Calls: "2",
		Cost:  Cost{Calls: Range{2, 2}, TokensIn: Range{7944, 8503}, TokensOut: Range{114, 242}},
	},
	Answer:   answerPPR,
	Retrieve: retrievePPR,
	Scoped:   true,
	Unpinned: true,
	Tuning:   retrieve.PPRTuningNames(),
})

// A PPRTrace is what ppr started from, nearest first: the relationships that it found, and the
// entities at which walks started; and the sources, best first.
type PPRTrace struct {
	Facts    []PPRFact      `json:"facts"`
	Entities []PPREntity    `json:"entities"`
	Sources  []ScoredSource `json:"sources"`
}

// A PPRFact is a relationship that was found. Its score is relative to the best.
type PPRFact struct {
	Key         string  `json:"key"`
	Source      string  `json:"source"`
	Target      string  `json:"target"`
	Description string  `json:"description"`
	Score       float64 `json:"score"`
	Kept        bool    `json:"kept"` // walks start at its ends
}

// A PPREntity is an entity at which walks started.
type PPREntity struct {
	Key    string  `json:"key"`
	Name   string  `json:"name"`
	Weight float64 `json:"weight"`
}

// ppr ranks chunks. A model, if there is one, chooses among the facts.
func (r Request) ppr(ctx context.Context) (retrieve.PPRResult, error) {
	q := retrieve.PPRQuery{Question: r.Text, Tuning: r.Tuning, Snapshots: r.Snapshots}
	if r.Options.Model != nil {
		q.Keep = func(ctx context.Context, facts []retrieve.Fact) ([]int, error) {
			r.Step("facts", 0, 0)
			lines := make([]string, len(facts))
			for i, f := range facts {
				lines[i] = f.Source + " \u2014 " + f.Target + ": " + f.Description
			}
			return expand.Facts(ctx, r.Asker(expand.TaskFacts), r.Text, lines)
		}
	}
	return r.Reader.PPR(ctx, q)
}

func retrievePPR(ctx context.Context, r Request) (retrieve.Ranking, error) {
	found, err := r.ppr(ctx)
	if err != nil {
		return found.Ranking, err
	}
	return r.RerankRanking(ctx, found.Ranking)
}

// answerPPR answers from the best chunks, in rank order, as far as they fit.
func answerPPR(ctx context.Context, r Request) (Answer, error) {
	found, err := r.ppr(ctx)
	if err != nil {
		return Answer{}, err
	}
	a, chunks, err := r.AnswerRanked(ctx, found.Ranking)
	a.PPR = pprTrace(found, chunks)
	return a, err
}

func pprTrace(found retrieve.PPRResult, chunks []retrieve.Chunk) *PPRTrace {
	t := &PPRTrace{Facts: make([]PPRFact, len(found.Facts)), Entities: make([]PPREntity, len(found.Entities)), Sources: ScoredSources(chunks)}
	for i, f := range found.Facts {
		t.Facts[i] = PPRFact(f)
	}
	for i, e := range found.Entities {
		t.Entities[i] = PPREntity{Key: e.Key, Name: found.Names[e.Key], Weight: e.Score}
	}
	return t
}
