package index

import (
	"errors"
	"fmt"
	"sync"

	"github.com/neorag/neorag/internal/llm"
)

// A circuitBreaker ends a run whose server cannot be reached: at the first failure
// if no call succeeded before, else after limit failures in a row. A server that answers, but
// fails, gets more chances, because an item can be the cause.
type circuitBreaker struct {
	mu        sync.Mutex
	limit     int
	failures  int // in a row, without an answer that can be used
	succeeded bool
}

// minUnavailable is how many items a server has to fail with in a row until it is taken to fail with
// all of them.
const minUnavailable = 8

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
	if llm.IsFatal(err) {
		return err
	}
	switch {
	case llm.IsUnreachable(err):
		b.failures++
		if !b.succeeded || b.failures >= b.limit {
			return fmt.Errorf("the model's server does not answer: %w", err)
		}
	case llm.IsUnavailable(err):
		b.failures++
		if b.failures >= minUnavailable && (!b.succeeded || b.failures >= b.limit) {
			return fmt.Errorf("the model's server failed %d times in a row: %w", b.failures, err)
		}
	default:
		b.failures = 0
	}
	return nil
}
