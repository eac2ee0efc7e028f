package query

import (
	"context"

	"github.com/neorag/neorag/internal/query/retrieve"
)

var _ = Register(Method{
	Name:    "fused",
	Summary: "the best chunks by everything that the index holds of them: questions for a fact",
	Profile: Profile{
		Reads: "chunks ranked by full text, feedback, entities, facts, the graph and vectors",
		Use:   "questions for a fact",
		Uses:  []Artifact{Vectors},
		Calls: "1",
		Cost:  Cost{Calls: Range{1, 1}, TokensIn: Range{7193, 7764}, TokensOut: Range{79, 223}},
	},
	Answer:   answerFused,
	Retrieve: retrieveFused,
	Scoped:   true,
	Unpinned: true,
	Tuning:   retrieve.FusedTuningNames(),
	Paths:    retrieve.FusedPaths,
})

// A FusedTrace is what the paths of fused give to each source, best first.
type FusedTrace struct {
	Sources []FusedSource `json:"sources"`
}

// A FusedSource is a chunk with its score, the best of which is 1, and what each path adds
// before scores are scaled.
type FusedSource struct {
	Key   string             `json:"key"`
	Name  string             `json:"name"`
	Score float64            `json:"score"`
	Paths map[string]float64 `json:"paths"`
}

// fused ranks chunks for the question.
func (r Request) fused(ctx context.Context) (retrieve.FusedResult, error) {
	return r.Reader.Fused(ctx, retrieve.FusedQuery{Question: r.Text, Paths: r.Paths, Tuning: r.Tuning, Snapshots: r.Snapshots})
}

func retrieveFused(ctx context.Context, r Request) (retrieve.Ranking, error) {
	found, err := r.fused(ctx)
	if err != nil {
		return found.Ranking, err
	}
	return r.RerankRanking(ctx, found.Ranking)
}

// answerFused answers from the best chunks, in rank order, as far as they fit.
func answerFused(ctx context.Context, r Request) (Answer, error) {
	found, err := r.fused(ctx)
	if err != nil {
		return Answer{}, err
	}
	a, chunks, err := r.AnswerRanked(ctx, found.Ranking)
	a.Fused = fusedTrace(found, chunks)
	return a, err
}

// fusedTrace names the sources.
func fusedTrace(found retrieve.FusedResult, chunks []retrieve.Chunk) *FusedTrace {
	names := map[string]string{}
	for _, c := range chunks {
		names[c.Key] = SourceName(c.Title(), c.Index)
	}
	trace := &FusedTrace{Sources: []FusedSource{}}
	for _, s := range found.Sources {
		trace.Sources = append(trace.Sources, FusedSource{Key: s.Key, Name: names[s.Key], Score: s.Score, Paths: s.Paths})
	}
	return trace
}
