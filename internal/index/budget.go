package index

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/text"
)

// stopForBudget records that the budget is spent. Stages that wait for another one do
// not begin; those that run end when they are done or reach the budget too.
func (r *run) stopForBudget(err error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.result.Stopped == "" {
		r.result.Stopped = text.FirstLine(budgetError(err).Error())
		close(r.budgetSpent)
	}
	return nil
}

// budgetError returns the error of the budget itself that err wraps.
func budgetError(err error) error {
	for inner := err; inner != nil; inner = errors.Unwrap(inner) {
		if errors.Unwrap(inner) == llm.ErrBudget { //nolint:errorlint // looks for the error that wraps it directly
			return inner
		}
	}
	return err
}

// noteRemaining adds a note about the work that is left when the budget is spent.
func (r *run) noteRemaining(ctx context.Context) error {
	marks, err := r.store.Pending(ctx, r.options.Corpus)
	if err != nil {
		return fmt.Errorf("count remaining work: %w", err)
	}
	var left []string
	for _, stage := range []struct{ name, what string }{
		{"extract", "chunks to extract"},
		{"derive", "nodes to derive"},
		{"describe", "nodes to describe"},
		{"embed", "texts to embed"},
		{"report", "communities to report"},
	} {
		if n := marks[stage.name]; n > 0 {
			left = append(left, fmt.Sprintf("%d %s", n, stage.what))
		}
	}
	if len(left) == 0 {
		left = append(left, "the last steps")
	}
	r.addNote("%s; results so far are kept; remaining: %s; run the same command again to continue", r.result.Stopped, strings.Join(left, ", "))
	return nil
}
