package neo4jstore

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"time"
)

// retryTimeout is how long one operation is retried.
const retryTimeout = 30 * time.Second

// retry repeats an operation, after milliseconds first, while it fails with an error
// that may be transient: a deadlock, a lost connection, a server that is starting. The
// driver's own retries wait seconds. Out of memory is not retried. The function again,
// if not nil, reports whether another attempt is still possible.
func retry(ctx context.Context, logger *slog.Logger, again func() bool, operation func() error) error {
	deadline := time.Now().Add(retryTimeout)
	for tries := 1; ; tries++ {
		err := operation()
		if err == nil || !isTransient(err) || again != nil && !again() || time.Now().After(deadline) {
			return err
		}
		if tries == 1 {
			logger.DebugContext(ctx, "retry", "cause", err)
		}
		// A deadlock is retried soon, a server that is down more slowly.
		pause := min(10*time.Millisecond<<min(tries-1, 7), time.Second)
		timer := time.NewTimer(pause + rand.N(50*time.Millisecond))
		select {
		case <-ctx.Done():
			timer.Stop()
			return fmt.Errorf("%w (%w)", context.Cause(ctx), err)
		case <-timer.C:
		}
	}
}
