//go:build unix

package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

// TestWatchSignals ends a process that watches by a signal: while it waits for changes that
// is no failure, during a run it is one, like that of a run that does not watch. The next
// run continues.
func TestWatchSignals(t *testing.T) {
	t.Parallel()
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		t.Run(signal.String(), func(t *testing.T) {
			t.Parallel()
			p, docs := newProgram(t, neo4jtest.Server(t)), lastStave(t)
			args := []string{"index", "--offline", "--watch", docs}
			r := p.start(args...)
			r.waitFor(stageEnded("chunk"))
			r.signal(signal)
			if message := checkFailure(t, r.wait(), 130); !strings.Contains(message, "interrupted") || !strings.Contains(message, "continues where it stopped") {
				t.Errorf("during the first run: %s", message)
			}
			r = p.start(args...)
			r.waitFor("watching ")
			if err := os.WriteFile(filepath.Join(docs, "more.txt"), []byte(strings.Repeat(novel["one.txt"]+"\n", 20)), 0o600); err != nil {
				t.Fatal(err)
			}
			later := func() bool {
				_, after, _ := strings.Cut(r.stderr.String(), "watching ")
				return strings.Contains(after, stageEnded("chunk"))
			}
			if !waitUntil(t, later, r.stderr.String) {
				t.Fatal("no later run")
			}
			r.signal(signal)
			if o := r.wait(); o.code != 130 || !strings.Contains(o.stderr, "interrupted") {
				t.Errorf("during a later run: exit %d\n%s", o.code, o.stderr)
			}
			r = p.start(args...)
			r.waitFor("watching ")
			r.signal(signal)
			if o := r.wait(); o.code != 0 || o.signal != 0 {
				t.Errorf("while it waits: exit %d, %v\n%s", o.code, o.signal, o.stderr)
			}
		})
	}
}
