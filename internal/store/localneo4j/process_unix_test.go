//go:build unix

package localneo4j

import (
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"
)

// The server's process inherits no open pipe of this one, whose reader would never see
// its end, and starts a new session.
func TestDetach(t *testing.T) {
	var ends [2]int
	if err := syscall.Pipe(ends[:]); err != nil { // not closed on exec
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "sleep", "30")
	detach(cmd)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}()
	if err := syscall.Close(ends[1]); err != nil {
		t.Fatal(err)
	}
	if err := syscall.SetNonblock(ends[0], true); err != nil {
		t.Fatal(err)
	}
	r := os.NewFile(uintptr(ends[0]), "pipe")
	defer func() { _ = r.Close() }()
	if err := r.SetReadDeadline(time.Now().Add(5 * time.Second)); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Read(make([]byte, 1)); err == nil || os.IsTimeout(err) {
		t.Errorf("read of the pipe = %v, want its end: the child holds it", err)
	}
	if group, err := syscall.Getpgid(cmd.Process.Pid); err != nil || group != cmd.Process.Pid {
		t.Errorf("process group = %d, %v, want its own", group, err)
	}
}

// Another process, or one that has ended, is not taken for the server.
func TestIsServer(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), "sh", "-c", "sleep 30; true", homeFlag+"/data/one", configFlag+"/data/one/conf")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	pid := cmd.Process.Pid
	// A process that has just begun shows no arguments for a moment.
	for begin := time.Now(); commandLine(pid) == "" && time.Since(begin) < 5*time.Second; {
		time.Sleep(time.Millisecond)
	}
	for home, want := range map[string]bool{"/data/one": true, "/data/on": false, "/data/two": false} {
		if got := isServer(pid, home, ""); got != want {
			t.Errorf("isServer(%q) = %v, want %v: %s", home, got, want, commandLine(pid))
		}
	}
	if isServer(os.Getpid(), "/data/one", "") {
		t.Error("this test is taken for the server")
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	for begin := time.Now(); isServer(pid, "/data/one", "") && time.Since(begin) < 5*time.Second; {
		time.Sleep(5 * time.Millisecond)
	}
	if isServer(pid, "/data/one", "") {
		t.Error("a process that ended and was not waited for is taken for running")
	}
	_ = cmd.Wait()
}
