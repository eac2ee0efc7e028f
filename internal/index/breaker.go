package index

import (
	"errors"
	"fmt"
	"net/http"
	"sync"

	"github.com/neorag/neorag/internal/llm"
)

// isFatal reports whether every further call of the model would fail too: the key is
// wrong, the model is unknown or the budget is spent.
func isFatal(err error) bool {
	if errors.Is(err, llm.ErrBudget) {
		return true
	}
	refused, ok := errors.AsType[*llm.Error](err)
	if !ok {
		return false
	}
	switch refused.Status {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound:
		return true
	}
	return false
}

// isUnreachable reports whether no server answered.
func isUnreachable(err error) bool {
	refused, ok := errors.AsType[*llm.Error](err)
	return ok && refused.Status == 0
}

// A circuitBreaker ends a run whose server cannot be reached: at the first failure
// if no call succeeded before, else after limit failures in a row.
type circuitBreaker struct {
	mu        sync.Mutex
	limit     int
	failures  int // in a row, without an answer
	succeeded bool
}

// record takes the error of one item, or nil. It reports whether the item failed, and
// returns an error if it is pointless to continue. An item for which there was no
// budget has not failed: it keeps its mark.
func (b *circuitBreaker) record(err error) (failed bool, end error) {
	if errors.Is(err, llm.ErrBudget) {
		return false, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if err == nil {
		b.succeeded, b.failures = true, 0
		return false, nil
	}
	return true, b.recordFailure(err)
}

// recordFailure returns an error if the run must end.
func (b *circuitBreaker) recordFailure(err error) error {
	if isFatal(err) {
		return err
	}
	if !isUnreachable(err) {
		b.failures = 0
		return nil
	}
	b.failures++
	if !b.succeeded || b.failures >= b.limit {
		return fmt.Errorf("the model's server does not answer: %w", err)
	}
	return nil
}
