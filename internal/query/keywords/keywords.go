// Package keywords reads the keywords of a question on two levels, as section 3.2 of the
// LightRAG paper defines them: low-level keywords name particular things, high-level
// keywords name themes.
package keywords

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/text"
	"github.com/neorag/neorag/internal/text/sanitize"
	"github.com/neorag/neorag/prompts"
)

// Keywords are what a question is searched for by.
type Keywords struct {
	Low  []string `json:"low"`  // particular things: names, objects, dates
	High []string `json:"high"` // themes, and kinds of relationships
	By   string   `json:"by" enum:"model,rules,user"`
}

const (
	maxKeywords = 16  // of each level
	maxBytes    = 200 // of a keyword
)

// Given returns keywords that the user chose. They are cleaned like the keywords of a model.
func Given(low, high []string) Keywords {
	return Keywords{Low: clean(low), High: clean(high), By: "user"}
}

// IsEmpty reports whether there are no keywords.
func (k Keywords) IsEmpty() bool { return len(k.Low)+len(k.High) == 0 }

// clean returns each keyword once, on one line and without control characters. What is
// too long for a keyword is left out, and so is all after the first 16.
func clean(words []string) []string {
	out := []string{}
	seen := map[string]bool{}
	for _, w := range words {
		w = strings.Trim(text.OneLine(sanitize.Text(w)), " \"“”,;")
		if lower := strings.ToLower(w); w != "" && len(w) <= maxBytes && !seen[lower] {
			seen[lower] = true
			out = append(out, w)
		}
	}
	return slices.Clip(out[:min(len(out), maxKeywords)])
}

// TaskKeywords is the task by which calls that extract keywords are counted.
const TaskKeywords = "keywords"

// ByModel has a model extract the keywords of a question by one call.
func ByModel(ctx context.Context, ask prompts.Asker, question string) (Keywords, error) {
	return prompts.Ask(ctx, ask, prompts.Keywords, prompts.Values{"question": question}, parse)
}

// parse reads the keywords of a model, which are shown to the user and searched for.
func parse(answer string) (Keywords, error) {
	var raw struct{ Low, High []string }
	if err := json.Unmarshal([]byte(answer), &raw); err != nil {
		return Keywords{}, fmt.Errorf("the keywords are not of the form asked for: %w", err)
	}
	return Keywords{Low: clean(raw.Low), High: clean(raw.High), By: "model"}, nil
}
