// Package expand has a model prepare a search: write passages that could answer the question
// (HyDE) or other questions (RQ-RAG), or choose relationships to start from (HippoRAG 2).
package expand

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/neorag/neorag/internal/text"
	"github.com/neorag/neorag/internal/text/sanitize"
	"github.com/neorag/neorag/prompts"
)

// clean returns each text of a model once, on one line and without control characters. A text
// is cut off after the given number of bytes, and all but the first texts are left out.
func clean(texts []string, most, bytes int) []string {
	var out []string
	seen := map[string]bool{}
	for _, s := range texts {
		s = text.Truncate(text.OneLine(sanitize.Text(s)), bytes)
		if lower := strings.ToLower(s); s != "" && !seen[lower] && len(out) < most {
			seen[lower] = true
			out = append(out, s)
		}
	}
	return out
}

// TaskPassages is the task by which calls that write passages are counted.
const TaskPassages = "hyde"

const (
	// MaxPassages is how many passages the paper of HyDE takes.
	MaxPassages  = 8
	passageBytes = 4000
)

// questionLanguage asks for passages in the language of the question.
const questionLanguage = "the language of the question"

// Passages has a model write at most n passages that could answer a question in a language, by default
// the language of the question, by one call
// (HyDE, section 3.2). n is from 1 to MaxPassages. There is at least one if err is nil.
func Passages(ctx context.Context, ask prompts.Asker, question, language string, n int) ([]string, error) {
	values := prompts.Values{"question": question, "count": strconv.Itoa(n), "language": cmp.Or(language, questionLanguage)}
	return prompts.Ask(ctx, ask, prompts.HyDE, values, func(answer string) ([]string, error) { return parsePassages(answer, n) })
}

func parsePassages(answer string, n int) ([]string, error) {
	var raw struct{ Passages []string }
	if err := json.Unmarshal([]byte(answer), &raw); err != nil {
		return nil, fmt.Errorf("the passages are not of the form asked for: %w", err)
	}
	passages := clean(raw.Passages, n, passageBytes)
	if len(passages) == 0 {
		return nil, errors.New("the list of passages is empty")
	}
	return passages, nil
}

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

// TaskFacts is the task by which calls that choose relationships are counted.
const TaskFacts = "facts"

const factBytes = 1000

// SelectFacts has a model choose the relationships that a question needs, by one call, and returns
// their places, in ascending order and possibly none (HippoRAG 2, section 3.2: recognition
// memory). A relationship is shown on one line.
func SelectFacts(ctx context.Context, ask prompts.Asker, question string, relationships []string) ([]int, error) {
	var b strings.Builder
	for i, r := range relationships {
		b.WriteString(strconv.Itoa(i+1) + ": " + text.Truncate(text.OneLine(sanitize.Text(r)), factBytes) + "\n")
	}
	return prompts.Ask(ctx, ask, prompts.Facts, prompts.Values{"question": question, "context": b.String()}, func(answer string) ([]int, error) { return parseFacts(answer, len(relationships)) })
}

// parseFacts returns the places of numbers from 1 to n; others are ignored.
func parseFacts(answer string, n int) ([]int, error) {
	var raw struct{ Facts *[]int }
	if err := json.Unmarshal([]byte(answer), &raw); err != nil {
		return nil, fmt.Errorf("the chosen relationships are not of the form asked for: %w", err)
	}
	if raw.Facts == nil {
		return nil, errors.New("the answer has no list of relationships")
	}
	var places []int
	for _, number := range *raw.Facts {
		if number >= 1 && number <= n {
			places = append(places, number-1)
		}
	}
	slices.Sort(places)
	return slices.Compact(places), nil
}
