package index

import (
	"errors"
	"fmt"
	"sync"

	"github.com/neorag/neorag/internal/llm"
)

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
	if llm.IsFatal(err) {
		return err
	}
	if !llm.IsUnreachable(err) {
		b.failures = 0
		return nil
	}
	b.failures++
	if !b.succeeded || b.failures >= b.limit {
		return fmt.Errorf("the model's server does not answer: %w", err)
	}
	return nil
}
