// Package route chooses the method that answers a question.
//
// It decides by the words of the question and by what one search found for it:
// by rules, which always give the same choice, or by one call to a model.
package route

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

// A Choice is the method that a question is answered by, with the reason.
type Choice struct {
	Method   string   `json:"method"` // global, local or fused
	Why      string   `json:"why"`
	By       string   `json:"by" enum:"rules,model"`
	Features Features `json:"features"`
}

// Decide applies its rules in order; the first one that matches chooses the method. Without
// reports it never chooses global. Without a model, no comparison can be written from reports and
// no answer from the neighbourhood of an entity, so that a search for sentences is the better choice.
func Decide(f Features) Choice {
	c := Choice{By: "rules", Features: f}
	named := slices.Concat(f.Names, f.Topics)
	switch whole := f.Overview || len(f.Broad) > 0 && len(f.Names) == 0; {
	case whole && f.Reports && f.Overview:
		c.Method, c.Why = "global", "the question is about the whole and names nothing in it"
	case whole && f.Reports:
		c.Method, c.Why = "global", fmt.Sprintf("%q asks about the whole", f.Broad[0])
	case whole && f.Entities > 0:
		c.Method, c.Why = "local", "the question is about the whole, but the index has no reports"
	case f.Quote:
		c.Method, c.Why = "fused", "it asks for the words of the text"
	case len(f.Compares) > 0 && len(f.Particular) < 2 && f.Asks == "" && f.Reports && f.Model:
		c.Method, c.Why = "global", fmt.Sprintf("%q asks to compare things that are mentioned in different texts", f.Compares[0])
	case len(named) > 0 && f.Identity && (f.Model || len(f.Names) > 0):
		c.Method, c.Why = "local", "it asks about "+strings.Join(named, ", ")+", found in the graph"
	case len(named) > 1 && len(f.Relates) > 0:
		c.Method, c.Why = "local", fmt.Sprintf("%q asks how %s are related", f.Relates[0], strings.Join(named, " and "))
	case f.Asks != "":
		c.Method, c.Why = "fused", fmt.Sprintf("it asks for one fact (%s)", f.Asks)
	case len(f.Relates) > 0 && len(f.Names) == 0 && f.Entities > 0:
		c.Method, c.Why = "local", fmt.Sprintf("%q asks how things are related", f.Relates[0])
	case len(named) > 0 && !f.Model:
		c.Method, c.Why = "fused", "no model writes the answer, and a sentence about "+strings.Join(named, ", ")+" may be anywhere in the text"
	case len(named) > 0:
		c.Method, c.Why = "local", "it names "+strings.Join(named, ", ")+", found in the graph"
	case len(f.Words) > 0:
		c.Method, c.Why = "fused", "of the graph it names only common words ("+strings.Join(f.Words, ", ")+"), so the search uses its words"
	default:
		c.Method, c.Why = "fused", "it names no entity of the graph, so the search uses its words"
	}
	return c
}

// TaskRoute is the task by which calls that choose a method are counted.
const TaskRoute = "route"

// methods that a model may choose.
var methods = []string{"global", "local", "fused"}

// DecideByModel has a model choose a method by one call.
func DecideByModel(ctx context.Context, ask prompts.Asker, question string, f Features) (Choice, error) {
	names := "none"
	if named := slices.Concat(f.Names, f.Topics, f.Words); len(named) > 0 {
		names = text.OneLine(strings.Join(named, ", "))
	}
	choice, err := prompts.Ask(ctx, ask, prompts.Route, prompts.Values{"question": question, "names": names}, parseChoice)
	if err != nil {
		return Choice{}, err
	}
	choice.By, choice.Features = "model", f
	return choice, nil
}

// parseChoice reads the choice of a model. Its reason is shown to the user, so it is sanitized.
func parseChoice(answer string) (Choice, error) {
	var choice Choice
	if err := json.Unmarshal([]byte(answer), &choice); err != nil {
		return Choice{}, fmt.Errorf("the choice is not of the form asked for: %w", err)
	}
	if !slices.Contains(methods, choice.Method) {
		return Choice{}, fmt.Errorf("%q is not one of the methods", choice.Method)
	}
	choice.Why = text.OneLine(sanitize.Text(choice.Why))
	return choice, nil
}
