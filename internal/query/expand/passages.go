package expand

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"github.com/neorag/neorag/prompts"
)

// TaskPassages is the task by which calls that write passages are counted.
const TaskPassages = "hyde"

const (
	// MaxPassages is how many passages the paper of HyDE takes.
	MaxPassages  = 8
	passageBytes = 4000
)

// Passages has a model write at most n passages that could answer a question, by one call
// (HyDE, section 3.2). n is from 1 to MaxPassages. There is at least one if err is nil.
func Passages(ctx context.Context, ask prompts.Asker, question string, n int) ([]string, error) {
	return prompts.Ask(ctx, ask, prompts.HyDE, prompts.Values{"question": question, "count": strconv.Itoa(n)}, func(answer string) ([]string, error) { return parsePassages(answer, n) })
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
