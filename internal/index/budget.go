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

// remaining returns what is left of each stage, as text.
func (r *run) remaining(ctx context.Context) ([]string, error) {
	marks, err := r.store.Pending(ctx, r.Corpus)
	if err != nil {
		return nil, fmt.Errorf("count remaining work: %w", err)
	}
	var left []string
	for _, spec := range stageSpecs {
		if n := marks[spec.name]; n > 0 && (spec.name != "report" || !r.WithoutReports) {
			left = append(left, fmt.Sprintf("%d %s", n, spec.left))
		}
	}
	return left, nil
}

// noteRemaining adds a note about the work that is left when the budget is spent.
func (r *run) noteRemaining(ctx context.Context) error {
	left, err := r.remaining(ctx)
	if err != nil {
		return err
	}
	if len(left) == 0 {
		left = append(left, "the last steps")
	}
	r.addNote("%s; results so far are kept; remaining: %s; run the same command again to continue", r.result.Stopped, strings.Join(left, ", "))
	return nil
}

// failRemaining adds a failure if work is left though nothing failed, so that no run
// ends as complete that is not.
func (r *run) failRemaining(ctx context.Context) error {
	if len(r.result.Failures) > 0 {
		return nil
	}
	left, err := r.remaining(ctx)
	if err == nil && len(left) > 0 {
		r.result.Failures = append(r.result.Failures, Failure{Key: r.Corpus, Stage: "index", Reason: "work is left: " + strings.Join(left, ", ") + "; index all folders of the corpus again"})
	}
	return err
}
