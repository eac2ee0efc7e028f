package expand

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/neorag/neorag/prompts"
)

// TaskRefine is the task by which calls that refine a question are counted.
const TaskRefine = "refine"

const (
	maxQuestions  = 4
	questionBytes = 1000
)

// kinds are what a model may do with a question (RQ-RAG, section 2).
var kinds = []string{"none", "rewrite", "decompose", "disambiguate"}

// A Refinement is the questions that are searched for in addition to the one that was asked.
type Refinement struct {
	Kind      string   `json:"kind" enum:"none,rewrite,decompose,disambiguate"`
	Questions []string `json:"questions"` // at most four; empty if Kind is none
}

// Refine has a model rewrite, decompose or disambiguate a question, by one call.
func Refine(ctx context.Context, ask prompts.Asker, question string) (Refinement, error) {
	return prompts.Ask(ctx, ask, prompts.Refine, prompts.Values{"question": question}, parseRefinement)
}

func parseRefinement(answer string) (Refinement, error) {
	var r Refinement
	if err := json.Unmarshal([]byte(answer), &r); err != nil {
		return Refinement{}, fmt.Errorf("the questions are not of the form asked for: %w", err)
	}
	if !slices.Contains(kinds, r.Kind) {
		return Refinement{}, fmt.Errorf("the kind %q is none of %v", r.Kind, kinds)
	}
	if r.Questions = clean(r.Questions, maxQuestions, questionBytes); len(r.Questions) == 0 || r.Kind == "none" {
		return Refinement{Kind: "none", Questions: []string{}}, nil
	}
	return r, nil
}
