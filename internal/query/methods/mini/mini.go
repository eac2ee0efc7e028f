// Package mini answers from chunks that paths from the entities of a question lead to (MiniRAG,
// section 3.2).
package mini

import (
	"context"
	"fmt"
	"io"

	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/query/expand"
	"github.com/neorag/neorag/internal/query/keywords"
	"github.com/neorag/neorag/internal/query/retrieve"
	"github.com/neorag/neorag/prompts"
)

// Method is registered under its name.
var Method = query.RegisterRanked(query.Method{
	Name:    "mini",
	Summary: "chunks that paths over two relationships lead to, from the entities of the question to entities of the type of its answer (MiniRAG)",
	Profile: query.Profile{
		Reads: "the chunks on paths from the entities that the question names, preferring paths through entities of the type of the answer",
		Use:   "questions for things around a named one; made for small models",
		Uses:  []query.Artifact{query.Vectors},
		Paper: query.Paper{Name: "MiniRAG", Section: "3.2", URL: "https://arxiv.org/abs/2501.06713"},
		Calls: "2",
		Cost:  query.CostOf(2, 2, 1116, 7954, 71, 183),
	},
	Traces:   []query.Trace{Trace{}},
	Prompts:  []string{prompts.AnswerTypes},
	Scoped:   true,
	Unpinned: true,
	Tuning:   []string{"candidates", "found"},
}, rankChunks)

// typePool is how many types of entities the model chooses from.
const typePool = 30

// rankChunks ranks chunks. A model, if there is one, chooses the types of the answer and the entities of
// the question.
func rankChunks(ctx context.Context, r query.Request) (retrieve.Ranking, func([]retrieve.Chunk) query.Trace, error) {
	asked, notes, err := answerTypes(ctx, r)
	if err != nil {
		return retrieve.Ranking{}, nil, err
	}
	found, err := search(ctx, r, asked)
	found.Notes = append(notes, found.Notes...)
	trace := func(read []retrieve.Chunk) query.Trace {
		return Trace{asked, found.Candidates, query.ScoredSources(read)}
	}
	return found.Ranking, trace, err
}

// answerTypes reads the types of the answer and the entities of the question, by the model or
// by rules.
func answerTypes(ctx context.Context, r query.Request) (asked expand.AnswerType, notes []string, err error) {
	pool, err := entityTypes(ctx, r.Reader, typePool)
	if err != nil {
		return asked, nil, err
	}
	low := keywords.ByRules(r.Text).Low
	byRules := expand.AnswerType{Types: expand.AnswerTypesByRules(r.Text, pool), Entities: low[:min(len(low), expand.MaxEntities)], By: "rules"}
	if r.Options.Model == nil {
		return byRules, nil, nil
	}
	r.Step("keywords", 0, 0)
	asked, err = expand.AnswerTypes(ctx, r.Asker(expand.TaskAnswerTypes), r.Text, pool)
	return query.Fallback(ctx, asked, err, byRules, "The model gave no types and entities, so rules did")
}

// A Trace is what mini searched for, the entities of the graph that the question may mean,
// and the sources, best first.
type Trace struct {
	expand.AnswerType

	Candidates []Candidate          `json:"candidates"`
	Sources    []query.ScoredSource `json:"sources"` // with the sum of the votes of their paths as score
}

// TraceName is part of query.Trace.
func (Trace) TraceName() string { return "mini" }

// Print prints what was searched for and where paths started.
func (t Trace) Print(w io.Writer) {
	fmt.Fprintf(w, "\nmini searched for what the question names, by %s: %s; types of the answer: %s\n", t.By, query.ListOrNone(t.Entities), query.ListOrNone(t.Types))
	for _, c := range t.Candidates {
		fmt.Fprintf(w, "    %6.3f  %s: %s, %d paths\n", c.Score, c.Asked, c.Name, c.Paths)
	}
	query.PrintSources(w, t.Sources, "the votes of paths", 3)
}
