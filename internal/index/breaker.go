package index

import (
	"errors"
	"fmt"
	"net/http"
	"sync"

	"github.com/neorag/neorag/internal/llm"
)

// isFatal reports an error of a model that every further call would meet too:
// a wrong key, an unknown model, money that is spent.
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

// isUnreachable reports that no server answered.
func isUnreachable(err error) bool {
	refused, ok := errors.AsType[*llm.Error](err)
	return ok && refused.Status == 0
}

// A circuitBreaker ends a run whose server is gone: after a failure before any
// success, or after many in a row.
type circuitBreaker struct {
	mu        sync.Mutex
	limit     int
	failures  int
	succeeded bool
}

// record tells of one item whether it failed, and gives an error when it is of no
// use to go on. An item that the budget did not allow stays marked, and has not
// failed.
func (p *circuitBreaker) record(err error) (failed bool, end error) {
	if errors.Is(err, llm.ErrBudget) {
		return false, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if err == nil {
		p.succeeded, p.failures = true, 0
		return false, nil
	}
	return true, p.recordFailure(err)
}

func (p *circuitBreaker) recordFailure(err error) error {
	if isFatal(err) {
		return err
	}
	if !isUnreachable(err) {
		p.failures = 0
		return nil
	}
	p.failures++
	if !p.succeeded || p.failures >= p.limit {
		return fmt.Errorf("the model's server does not answer: %w", err)
	}
	return nil
}
