package cli_test

import (
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

// openat is the number of the system call that opens files.
var openat = map[string]string{"amd64": "257", "arm64": "56"}[runtime.GOARCH]

// inOpen returns the calls with which threads of a process are opening files.
func inOpen(r *process) map[string]bool {
	calls := map[string]bool{}
	threads, _ := filepath.Glob(filepath.Join("/proc", strconv.Itoa(r.cmd.Process.Pid), "task", "*", "syscall"))
	for _, thread := range threads {
		if text, err := os.ReadFile(thread); err == nil && strings.HasPrefix(string(text), openat+" ") {
			calls[thread+string(text)] = true
		}
	}
	return calls
}

// waitForOpen waits until a process is blocked in opening a file: it is seen in the same call
// twenty times in a row.
func waitForOpen(t *testing.T, r *process) {
	t.Helper()
	seen := map[string]int{}
	blocked := func() bool {
		now := inOpen(r)
		maps.DeleteFunc(seen, func(call string, _ int) bool { return !now[call] })
		for call := range now {
			if seen[call]++; seen[call] == 20 {
				return true
			}
		}
		return false
	}
	if !waitUntil(t, blocked, r.stderr.String) {
		t.Fatal("the process does not wait for the pipe")
	}
}

// TestSignalEndsBlockedProcess stops a process that waits for a pipe to be opened, which no
// cancelled context interrupts. One signal ends it.
func TestSignalEndsBlockedProcess(t *testing.T) {
	t.Parallel()
	if openat == "" {
		t.Skip("unknown system call of " + runtime.GOARCH)
	}
	for name, signal := range map[string]syscall.Signal{"SIGTERM": syscall.SIGTERM, "SIGINT": syscall.SIGINT} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pipe := filepath.Join(t.TempDir(), "pipe")
			if err := syscall.Mkfifo(pipe, 0o600); err != nil {
				t.Fatal(err)
			}
			p := programOn(t, neo4jtest.Conn{}, "none")
			r := p.start("status", "--config", pipe)
			waitForOpen(t, r)
			r.signal(signal)
			o := r.wait()
			if o.code != 130 || o.signal != 0 || !strings.Contains(o.stderr, "interrupted") {
				t.Errorf("exit %d, signal %v\n%s", o.code, o.signal, o.stderr)
			}
		})
	}
}

// TestHistoryIsRegularFile names a pipe, a device and a folder as the history: nothing is waited
// for, and nothing is asked.
func TestHistoryIsRegularFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	p := programOn(t, neo4jtest.Conn{}, "none")
	for _, path := range []string{pipe, "/dev/zero", "/dev/full", dir} {
		if message := checkFailure(t, p.run("query", "--offline", "--history", path, "Who?"), 2); !strings.Contains(message, path+" is not a regular file") {
			t.Errorf("%s: %s", path, message)
		}
	}
}

// TestDataFolderOfOthers runs commands with a data folder that others can write to: they name the
// command that makes it safe, and start, stop and trust nothing.
func TestDataFolderOfOthers(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	p := programOn(t, neo4jtest.Conn{}, "none")
	p.dir = folder(t, "own", map[string]string{"neorag.yaml": "query: {mode: mix}\n"})
	p.env["NEORAG_HOME"] = home
	delete(p.env, "NEO4J_URI")
	if err := os.Chmod(home, 0o777); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"up"}, {"down"}, {"trust"}, {"status"}, {"index", "--offline", "docs"}, {"trace", "1"}} {
		if message := checkFailure(t, p.run(args...), 1); !strings.Contains(message, "chmod go-w "+home) {
			t.Errorf("%v: %s", args, message)
		}
	}
	if entries, err := os.ReadDir(home); err != nil || len(entries) > 0 {
		t.Errorf("the folder holds %v, %v", entries, err)
	}
	if err := os.Chmod(home, 0o755); err != nil {
		t.Fatal(err)
	}
	p.ok("trust")
}
