package query

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/neorag/neorag/prompts"
)

var _ = register(Method{
	Name:     "auto",
	Summary:  "chooses among global, local and basic, and says why",
	answer:   answerAuto,
	scoped:   true,
	unpinned: true,
})

// TaskRoute is the task by which calls that choose a method are counted.
const TaskRoute = "route"

// A Choice says which method auto took, and why.
type Choice struct {
	Method   string   `json:"method"`
	Why      string   `json:"why"`
	By       string   `json:"by"` // rules or model
	Features Features `json:"features"`
}

// answerAuto searches once, chooses by what the question says and what was
// found, and answers by the method chosen from the same search.
func answerAuto(ctx context.Context, r request) (Answer, error) {
	found, err := r.reader.near(ctx, r.Text)
	if err != nil {
		return Answer{}, err
	}
	choice, notes, err := r.choose(ctx, found)
	if err != nil {
		return Answer{}, err
	}
	a, err := r.answerBy(ctx, choice.Method, found)
	if errors.Is(err, ErrNoReportInScope) {
		choice.Method, choice.Why = "local", choice.Why+", but no report rests on what the filter leaves"
		a, err = r.answerBy(ctx, choice.Method, found)
	}
	if err != nil {
		return Answer{}, err
	}
	a.Choice, a.Notes = &choice, append(a.Notes, notes...)
	return a, nil
}

// answerBy answers by a method that was chosen, local and basic from what was found.
func (r request) answerBy(ctx context.Context, method string, found nearby) (Answer, error) {
	switch method {
	case "global":
		return r.by(ctx, methods["global"])
	case "local":
		return r.answerLocal(ctx, found)
	default:
		return r.answerChunks(ctx, found.retrieved())
	}
}

// choose takes a method: by one call to a model if that is asked for, else, or
// when the call fails, by rules.
func (r request) choose(ctx context.Context, found nearby) (choice Choice, notes []string, err error) {
	f := featuresOf(r.Text, found)
	choice = decide(f)
	if !r.RouteByModel || r.options.Model == nil {
		return choice, nil, nil
	}
	by, err := r.ask(ctx, f)
	switch {
	case ctx.Err() != nil:
		return choice, nil, ctx.Err()
	case err != nil:
		line, _, _ := strings.Cut(err.Error(), "\n")
		return choice, []string{"The model could not choose a method, so that rules did: " + line}, nil
	case by.Method == "global" && !f.Reports:
		return choice, []string{"The model chose global, but the index has no reports, so that rules chose."}, nil
	}
	by.By, by.Features = "model", f
	return by, nil, nil
}

// routed are the methods that a model may choose.
var routed = []string{"global", "local", "basic"}

// ask lets a model choose.
func (r request) ask(ctx context.Context, f Features) (Choice, error) {
	names := "none"
	if len(f.Names) > 0 {
		names = strings.Join(f.Names, ", ")
	}
	var choice Choice
	read := func(text string) error {
		choice = Choice{}
		if err := json.Unmarshal([]byte(text), &choice); err != nil {
			return fmt.Errorf("the choice is not of the form asked for: %w", err)
		}
		if !slices.Contains(routed, choice.Method) {
			return fmt.Errorf("%q is none of the methods", choice.Method)
		}
		choice.Why = foldSpace(harmless(choice.Why))
		return nil
	}
	answer, err := r.model().askJSON(ctx, TaskRoute, prompts.Route, prompts.Values{"question": r.Text, "names": names}, read)
	if err == nil {
		err = read(answer)
	}
	return choice, err
}
