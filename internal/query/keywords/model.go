package keywords

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/neorag/neorag/prompts"
)

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
