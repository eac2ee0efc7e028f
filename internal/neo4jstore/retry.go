package neo4jstore

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"time"
)

// retryFor bounds how long one operation is tried again.
const retryFor = 30 * time.Second

// retry runs an operation again, a few milliseconds later, while it fails with
// what another try can mend: a deadlock, a lost connection, a server that is
// starting. The driver's own retry waits seconds. Errors of memory are never
// tried again as they are.
func retry(ctx context.Context, logger *slog.Logger, again func() bool, operation func() error) error {
	deadline := time.Now().Add(retryFor)
	for tries := 1; ; tries++ {
		err := operation()
		if err == nil || !transient(err) || again != nil && !again() || time.Now().After(deadline) {
			return err
		}
		if tries == 1 {
			logger.DebugContext(ctx, "trying again", "cause", err)
		}
		// Soon for a deadlock, and more patient with a server that is away.
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
