//go:build unix

package neo4jtest

import (
	"bufio"
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"
)

const watchEnv = "NEO4JTEST_WATCH"

// TestWatched runs in the process that TestWatchAfterKill kills.
func TestWatched(t *testing.T) {
	dir := os.Getenv(watchEnv)
	if dir == "" {
		t.Skip("runs only as a child of TestWatchAfterKill")
	}
	server := exec.CommandContext(t.Context(), "sleep", "60")
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	release := watch(t.Context(), server.Process.Pid, dir)
	defer release()
	if err := os.WriteFile(filepath.Join(dir, "pid"), []byte(strconv.Itoa(server.Process.Pid)+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, _ = os.Stdout.WriteString("ready\n")
	_ = server.Wait()
}

// Neither the server nor its folder is left behind when the process that started them
// is killed.
func TestWatchAfterKill(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestWatched$")
	cmd.Env = append(os.Environ(), watchEnv+"="+dir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if line != "ready\n" {
		t.Fatalf("child printed %q, %v", line, err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "pid"))
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(string(text[:len(text)-1]))
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	for begin := time.Now(); time.Since(begin) < 15*time.Second; time.Sleep(20 * time.Millisecond) {
		if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the folder is left behind: %v", err)
	}
	if state := processState(t.Context(), pid); state != "" && state != "Z" {
		t.Errorf("process %d is left behind: %s", pid, state)
	}
}

// processState returns the state that ps shows for a process, "" if it does not exist.
func processState(ctx context.Context, pid int) string {
	if syscall.Kill(pid, 0) != nil {
		return ""
	}
	out, err := exec.CommandContext(ctx, "ps", "-o", "stat=", "-p", strconv.Itoa(pid)).Output()
	if err != nil || len(out) == 0 {
		return ""
	}
	return string(out[:1])
}
