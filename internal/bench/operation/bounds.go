package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/neorag/neorag/internal/sys/wait"
)

// boundCases are inputs without end, and statements that read too much.
func boundCases() (cases []testCase) {
	for _, flag := range []string{"--history", "--config"} {
		cases = append(cases, testCase{
			kind: "bounds", name: flag + " is a FIFO without writer", right: "an error, or the end after SIGTERM",
			run: func(ctx context.Context, t *trial) (string, bool) {
				if err := syscall.Mkfifo(filepath.Join(t.work, "fifo"), 0o600); err != nil {
					t.fail(err)
				}
				o := t.run(ctx, command{args: []string{"query", "--offline", "--corpus", t.tales, flag, "fifo", question}, limit: 15 * time.Second, during: terminate})
				return o.brief(), o.stopped == "" && o.code != 0
			},
		})
	}
	cases = append(cases, testCase{kind: "bounds", name: "cypher with a list of 10 million", right: "at most 300 MB", run: func(ctx context.Context, t *trial) (string, bool) {
		const most = 300
		o := t.run(ctx, command{args: []string{"cypher", "--corpus", t.tales, "RETURN range(1, 10000000) AS x"}, limit: 90 * time.Second, maxMB: 3 * most})
		return fmt.Sprintf("%.0f MB; %s", o.peakMB, o.brief()), o.peakMB < most && o.stopped == "" && o.code >= 0
	}})
	for _, what := range []string{"SETTINGS", "USERS", "TRANSACTIONS"} {
		cases = append(cases, testCase{kind: "bounds", name: "cypher SHOW " + what, right: "refused: exit 2", run: func(ctx context.Context, t *trial) (string, bool) {
			o := t.neorag(ctx, "cypher", "--corpus", t.tales, "SHOW "+what)
			return o.brief(), o.code == 2
		}})
	}
	return cases
}

// terminate sends SIGTERM to a process that does not end by itself.
func terminate(ctx context.Context, p *os.Process) {
	if wait.For(ctx, 5*time.Second) == nil {
		_ = p.Signal(syscall.SIGTERM) // it may have ended
	}
}
