package prompts_test

import (
	"context"
	"errors"
	"strconv"
	"testing"

	"github.com/neorag/neorag/prompts"
)

// TestAsk: valid refuses what parse cannot read, and an answer is what parse read of it.
func TestAsk(t *testing.T) {
	t.Parallel()
	answers := []string{"none", "3"}
	ask := func(_ context.Context, _ string, _ prompts.Values, valid func(string) error) (string, error) {
		for _, a := range answers {
			if valid(a) == nil {
				return a, nil
			}
		}
		return "", errors.New("no valid answer")
	}
	if got, err := prompts.Ask(t.Context(), ask, "", nil, strconv.Atoi); got != 3 || err != nil {
		t.Errorf("got %d, %v", got, err)
	}
	answers = answers[:1]
	if _, err := prompts.Ask(t.Context(), ask, "", nil, strconv.Atoi); err == nil || err.Error() != "no valid answer" {
		t.Errorf("an error of the model: %v", err)
	}
}
