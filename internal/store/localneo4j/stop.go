package localneo4j

import (
	"context"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/neorag/neorag/internal/sys/wait"
)

// stop asks the server to end, and kills it once it has written nothing for so long: a
// large page cache takes minutes to store.
func (o Options) stop(ctx context.Context, st state, patience time.Duration) error {
	if err := terminate(st.PID); err != nil && st.alive() {
		return fmt.Errorf("signal process %d: %w", st.PID, err)
	}
	for before, i := o.lastWrite(), 0; i < mostPatience; i++ {
		gone, err := st.gone(ctx, patience)
		if err != nil || gone {
			return err
		}
		now := o.lastWrite()
		if !now.After(before) || o.checkSpace() != nil { // on a full disk it tries again and again
			break
		}
		before = now
		o.say(fmt.Sprintf("Neo4j (process %d) is still writing to its disk", st.PID))
	}
	o.say(fmt.Sprintf("Neo4j (process %d) does not stop and is killed; it recovers at the next start", st.PID))
	if err := kill(st.PID); err != nil && st.alive() {
		return fmt.Errorf("kill process %d: %w", st.PID, err)
	}
	gone, err := st.gone(ctx, 5*time.Second)
	if err == nil && !gone {
		err = fmt.Errorf("process %d does not end", st.PID)
	}
	return err
}

// lastWrite returns when a file of the server was last written.
func (o Options) lastWrite() time.Time {
	var last time.Time
	_ = filepath.WalkDir(o.Data, func(_ string, e fs.DirEntry, err error) error {
		if err != nil {
			return nil //nolint:nilerr // files come and go
		}
		if info, err := e.Info(); err == nil && info.ModTime().After(last) {
			last = info.ModTime()
		}
		return nil
	})
	return last
}

// gone waits until the server's process has ended, and reports whether it has.
func (st state) gone(ctx context.Context, limit time.Duration) (bool, error) {
	const step = 10 * time.Millisecond
	for waited := time.Duration(0); waited < limit; waited += step {
		if !st.alive() {
			reap(st.PID)
			return true, nil
		}
		if err := wait.For(ctx, step); err != nil {
			return false, fmt.Errorf("wait for process %d to end: %w", st.PID, err)
		}
	}
	return false, nil
}
