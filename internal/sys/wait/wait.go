// Package wait waits for a time, unless a context ends first.
package wait

import (
	"context"
	"time"
)

// For returns nil after a time, or the cause of the end of the context if that comes first.
func For(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-timer.C:
		return nil
	}
}
