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

// TaskRoute is the task by which calls that choose a method are counted.
const TaskRoute = "route"

// methods that a model may choose.
var methods = []string{"global", "local", "fused"}

// DecideByModel has a model choose a method by one call.
func DecideByModel(ctx context.Context, ask prompts.Asker, question string, f Features) (Choice, error) {
	names := "none"
	if len(f.Names) > 0 {
		names = text.OneLine(strings.Join(f.Names, ", "))
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
