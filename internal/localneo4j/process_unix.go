//go:build unix

package localneo4j

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
)

// tryLock returns nil without an error while another process has the lock.
func tryLock(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if err == nil {
		return f, nil
	}
	_ = f.Close()
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return nil, nil
	}
	return nil, err
}

// detach gives the server a session of its own, so that it outlives this
// process and its terminal, and keeps what others left open in this process
// from it.
func detach(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	entries, err := os.ReadDir("/dev/fd")
	if err != nil {
		return
	}
	for _, e := range entries {
		if fd, err := strconv.Atoi(e.Name()); err == nil && fd > 2 {
			syscall.CloseOnExec(fd)
		}
	}
}

// birth is needed only where a process has no command line to look at.
func birth(int) string { return "" }

// isServer tells whether the process is the server of that home folder. A
// process that ended and was not waited for has no command line.
func isServer(pid int, home, _ string) bool {
	return strings.Contains(commandLine(pid), homeFlag+home+" "+configFlag) && syscall.Kill(pid, 0) == nil
}

func commandLine(pid int) string {
	id := strconv.Itoa(pid)
	if b, err := os.ReadFile("/proc/" + id + "/cmdline"); err == nil {
		return strings.ReplaceAll(string(b), "\x00", " ")
	}
	b, err := exec.CommandContext(context.Background(), "ps", "-ww", "-o", "command=", "-p", id).Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(b))
}

// terminate asks the server to stop.
func terminate(pid int) error { return syscall.Kill(pid, syscall.SIGTERM) }

// kill ends the server at once.
func kill(pid int) error { return syscall.Kill(pid, syscall.SIGKILL) }

// reap lets go of a process that this one started and that has ended.
func reap(pid int) { _, _ = syscall.Wait4(pid, nil, syscall.WNOHANG, nil) }
