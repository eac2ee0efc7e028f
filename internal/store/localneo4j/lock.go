package localneo4j

import (
	"context"
	"fmt"
	"time"

	"github.com/neorag/neorag/internal/sys/userfile"
	"github.com/neorag/neorag/internal/sys/wait"
)

// lock waits until this process holds the lock on a file, and returns a function that
// releases it. The system releases it when the process ends in any way, so no stale
// lock is left behind. The holder describes another process in messages.
func (o Options) lock(ctx context.Context, path, holder string) (func(), error) {
	for waiting := false; ; {
		f, err := userfile.TryLock(path)
		if err != nil {
			return nil, fmt.Errorf("lock %s: %w", path, err)
		}
		if f != nil {
			return func() { _ = f.Close() }, nil
		}
		if !waiting {
			o.say("waiting for " + holder)
			waiting = true
		}
		if err := wait.For(ctx, 50*time.Millisecond); err != nil {
			return nil, fmt.Errorf("wait for %s: %w", holder, err)
		}
	}
}
