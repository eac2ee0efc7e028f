// Package rq answers from the chunks nearest to the questions that a model makes of one (RQ-RAG,
// section 2).
package rq

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/query/expand"
	"github.com/neorag/neorag/internal/query/rank"
	"github.com/neorag/neorag/internal/query/retrieve"
	"github.com/neorag/neorag/prompts"
)

// Method is registered under its name.
var Method = query.RegisterRanked(query.Method{
	Name:    "rq",
	Summary: "the chunks nearest to the question as a model rewrites, decomposes or disambiguates it (RQ-RAG); needs a chat model",
	Profile: query.Profile{
		Reads:      "the closest chunks to the question and to the questions that a model makes of it, fused by rank",
		Use:        "questions of several parts",
		Uses:       []query.Artifact{query.Vectors},
		NeedsModel: true,
		Paper:      query.Paper{Name: "RQ-RAG", Section: "2", URL: "https://arxiv.org/abs/2404.00610"},
		Calls:      "2",
		Cost:       query.CostOf(2, 2, 7741, 8166, 78, 185),
	},
	Traces:   []query.Trace{Trace{}},
	Prompts:  []string{prompts.Refine},
	Scoped:   true,
	Unpinned: true,
	Tuning:   retrieve.TuningNames(),
}, rankChunks)

// rankChunks searches for the question and for what the model makes of it, each as basic does,
// and fuses the rankings by rank.
func rankChunks(ctx context.Context, r query.Request) (retrieve.Ranking, func([]retrieve.Chunk) query.Trace, error) {
	r.Step("questions", 0, 0)
	refined, err := expand.Refine(ctx, r.Asker(expand.TaskRefine), r.Text)
	unchanged := expand.Refinement{Kind: "none", Questions: []string{}}
	refined, notes, err := query.Fallback(ctx, refined, err, unchanged, "The model did not refine the question, so the search used it unchanged")
	if err != nil {
		return retrieve.Ranking{}, nil, err
	}
	r.Step("retrieving", 0, 0)
	found, err := searchSeveral(ctx, r.Reader, append([]string{r.Text}, refined.Questions...), r.Tuning)
	found.Notes = append(notes, found.Notes...)
	return found, func([]retrieve.Chunk) query.Trace { return Trace{refined} }, err
}

// searchSeveral searches for each of some questions as SearchChunks does, and fuses the
// rankings by rank.
func searchSeveral(ctx context.Context, r retrieve.Reader, questions []string, tuning retrieve.Tuning) (retrieve.Ranking, error) {
	var chunks, documents []rank.List
	var all retrieve.Ranking
	for _, question := range questions {
		found, err := r.SearchChunks(ctx, question, tuning)
		if err != nil {
			return retrieve.Ranking{}, err
		}
		chunks = append(chunks, rank.List{Keys: retrieve.ScoredKeys(found.Chunks)})
		documents = append(documents, rank.List{Keys: retrieve.ScoredKeys(found.Documents)})
		for _, note := range found.Notes {
			if !slices.Contains(all.Notes, note) {
				all.Notes = append(all.Notes, note)
			}
		}
	}
	all.Chunks, all.Documents = rank.Fuse(chunks...), rank.Fuse(documents...)
	return all, nil
}

// A Trace is what rq searched for besides the question.
type Trace struct{ expand.Refinement }

// TraceName is part of query.Trace.
func (Trace) TraceName() string { return "refinement" }

// Print prints the questions.
func (t Trace) Print(w io.Writer) {
	fmt.Fprintf(w, "\nrq searched for the question, and for %d that the model made of it (%s):\n", len(t.Questions), t.Kind)
	for _, question := range t.Questions {
		fmt.Fprintf(w, "    %s\n", question)
	}
}
