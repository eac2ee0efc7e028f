package query

import (
	"context"

	"github.com/neorag/neorag/internal/query/expand"
	"github.com/neorag/neorag/internal/query/keywords"
	"github.com/neorag/neorag/internal/query/retrieve"
	"github.com/neorag/neorag/internal/text"
)

var _ = Register(Method{
	Name:    "mini",
	Summary: "chunks that paths over two relationships lead to, from the entities of the question to those of the type of its answer (MiniRAG)",
	Profile: Profile{
		Reads: "the chunks on paths from the entities that the question names, more of those that pass entities of the type of the answer",
		Use:   "questions for things around a named one; made for small models",
		Uses:  []Artifact{Vectors},
		Paper: PaperOf(miniRAG, "3.2"),
		Calls: "2",
		Cost:  Cost{Calls: Range{2, 2}, TokensIn: Range{1116, 7954}, TokensOut: Range{71, 183}},
	},
	Answer:   answerMini,
	Retrieve: retrieveMini,
	Scoped:   true,
	Unpinned: true,
	Tuning:   retrieve.MiniTuningNames(),
})

// typePool is how many types of entities the model chooses from.
const typePool = 30

// A MiniTrace is what mini searched for, the entities of the graph that the question may mean,
// and the sources, best first.
type MiniTrace struct {
	expand.AnswerType

	Candidates []MiniCandidate `json:"candidates"`
	Sources    []ScoredSource  `json:"sources"` // with the sum of the votes of their paths as score
}

// A MiniCandidate is an entity at which paths start.
type MiniCandidate struct {
	Asked string  `json:"asked"` // as the question names it
	Key   string  `json:"key"`
	Name  string  `json:"name"`
	Score float64 `json:"score"` // its cosine with what was asked
	Paths int     `json:"paths"`
}

// mini ranks chunks. A model, if there is one, chooses the types of the answer and the entities
// of the question.
func (r Request) mini(ctx context.Context) (retrieve.MiniResult, expand.AnswerType, error) {
	asked, notes, err := r.answerTypes(ctx)
	if err != nil {
		return retrieve.MiniResult{}, asked, err
	}
	found, err := r.Reader.Mini(ctx, retrieve.MiniQuery{
		Question: r.Text, Entities: asked.Entities, Types: asked.Types, Tuning: r.Tuning, Snapshots: r.Snapshots,
	})
	found.Notes = append(notes, found.Notes...)
	return found, asked, err
}

// answerTypes reads the types of the answer and the entities of the question, by the model or
// by rules.
func (r Request) answerTypes(ctx context.Context) (asked expand.AnswerType, notes []string, err error) {
	pool, err := r.Reader.EntityTypes(ctx, typePool)
	if err != nil {
		return asked, nil, err
	}
	if r.Options.Model != nil {
		r.Step("keywords", 0, 0)
		asked, err = expand.AnswerTypes(ctx, r.Asker(expand.TaskAnswerTypes), r.Text, pool)
		switch {
		case ctx.Err() != nil:
			return asked, nil, ctx.Err()
		case err == nil:
			return asked, nil, nil
		}
		notes = []string{"The model gave no types and entities, so rules did: " + text.FirstLine(err.Error())}
	}
	low := keywords.ByRules(r.Text).Low
	return expand.AnswerType{Types: expand.AnswerTypesByRules(r.Text, pool), Entities: low[:min(len(low), expand.MaxEntities)], By: "rules"}, notes, nil
}

func retrieveMini(ctx context.Context, r Request) (retrieve.Ranking, error) {
	found, _, err := r.mini(ctx)
	if err != nil {
		return found.Ranking, err
	}
	return r.RerankRanking(ctx, found.Ranking)
}

// answerMini answers from the best chunks, in rank order, as far as they fit.
func answerMini(ctx context.Context, r Request) (Answer, error) {
	found, asked, err := r.mini(ctx)
	if err != nil {
		return Answer{}, err
	}
	a, chunks, err := r.AnswerRanked(ctx, found.Ranking)
	a.Mini = &MiniTrace{AnswerType: asked, Candidates: make([]MiniCandidate, len(found.Candidates)), Sources: ScoredSources(chunks)}
	for i, c := range found.Candidates {
		a.Mini.Candidates[i] = MiniCandidate{Asked: c.Asked, Key: c.Key, Name: found.Names[c.Key], Score: c.Score, Paths: c.Paths}
	}
	return a, err
}
