package cli

import (
	"fmt"
	"io"
	"sync"
)

// A result is standard output that remembers the first failed write, so that a result
// that was cut off, for example by a full disk, is not a success.
type result struct {
	to  io.Writer
	mu  sync.Mutex
	err error
}

func (r *result) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	n, err := r.to.Write(p)
	if r.err == nil {
		r.err = err
	}
	return n, err
}

func (r *result) failure() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err == nil {
		return nil
	}
	return fmt.Errorf("write the result: %w", r.err)
}
