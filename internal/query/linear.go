package query

import (
	"context"

	"github.com/neorag/neorag/internal/query/retrieve"
)

var _ = Register(Method{
	Name:    "linear",
	Summary: "chunks by walks from the entities that the question names, over the sentences that name them (LinearRAG); needs `neorag index --with sentences`",
	Profile: Profile{
		Reads: "the chunks that entities of the question lead to over the sentences that name them",
		Use:   "comparisons with `fused`, which has the same walks as one of its paths",
		Needs: []Artifact{Sentences},
		Uses:  []Artifact{Vectors},
		Paper: PaperOf(linearRAG, "3"),
		Calls: "1",
		Cost:  Cost{Calls: Range{1, 1}, TokensIn: Range{7453, 7892}, TokensOut: Range{97, 187}},
	},
	Answer:   answerLinear,
	Retrieve: retrieveLinear,
	Scoped:   true,
	Unpinned: true,
	Tuning:   retrieve.LinearTuningNames(),
})

// A LinearTrace is what linear went through: the entities that became active, strongest first,
// the sentences that led to others, in the order of the rounds, and the sources, best first.
type LinearTrace struct {
	Entities  []LinearEntity   `json:"entities"`
	Sentences []LinearSentence `json:"sentences"`
	Sources   []ScoredSource   `json:"sources"`
}

// A LinearEntity is an active entity. Hop is 1 if the question names it.
type LinearEntity struct {
	Key   string  `json:"key"`
	Name  string  `json:"name"`
	Score float64 `json:"score"`
	Hop   int     `json:"hop"`
}

// A LinearSentence is a sentence that an active entity took.
type LinearSentence struct {
	Key    string  `json:"key"`
	Text   string  `json:"text"`
	Cosine float64 `json:"cosine"` // with the question
}

func (r Request) linear(ctx context.Context) (retrieve.LinearResult, error) {
	return r.Reader.Linear(ctx, retrieve.LinearQuery{Question: r.Text, Tuning: r.Tuning, Snapshots: r.Snapshots})
}

func retrieveLinear(ctx context.Context, r Request) (retrieve.Ranking, error) {
	found, err := r.linear(ctx)
	if err != nil {
		return found.Ranking, err
	}
	return r.RerankRanking(ctx, found.Ranking)
}

// answerLinear answers from the best chunks, in rank order, as far as they fit.
func answerLinear(ctx context.Context, r Request) (Answer, error) {
	found, err := r.linear(ctx)
	if err != nil {
		return Answer{}, err
	}
	a, chunks, err := r.AnswerRanked(ctx, found.Ranking)
	a.Linear = linearTrace(found, chunks)
	return a, err
}

func linearTrace(found retrieve.LinearResult, chunks []retrieve.Chunk) *LinearTrace {
	t := &LinearTrace{
		Entities: make([]LinearEntity, len(found.Entities)), Sentences: make([]LinearSentence, len(found.Sentences)), Sources: ScoredSources(chunks),
	}
	for i, e := range found.Entities {
		t.Entities[i] = LinearEntity(e)
	}
	for i, s := range found.Sentences {
		t.Sentences[i] = LinearSentence(s)
	}
	return t
}
