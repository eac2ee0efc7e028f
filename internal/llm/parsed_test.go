package llm_test

import (
	"context"
	"strconv"
	"testing"

	"github.com/neorag/neorag/internal/llm"
)

// numberChat answers with the first of its answers that is valid.
type numberChat []string

func (c numberChat) Model() string { return "numbers" }

func (c numberChat) Chat(_ context.Context, req llm.Request) (llm.Response, error) {
	for _, answer := range c {
		if req.Valid(answer) == nil {
			return llm.Response{Text: answer}, nil
		}
	}
	return llm.Response{}, llm.ErrInvalid
}

func TestParsed(t *testing.T) {
	t.Parallel()
	if got, err := llm.Parsed(t.Context(), numberChat{"none", "3"}, llm.Request{}, strconv.Atoi); got != 3 || err != nil {
		t.Errorf("got %d, %v", got, err)
	}
	if _, err := llm.Parsed(t.Context(), numberChat{"none"}, llm.Request{}, strconv.Atoi); err == nil {
		t.Error("no valid answer: no error")
	}
}
