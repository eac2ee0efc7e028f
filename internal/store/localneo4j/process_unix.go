//go:build unix

package localneo4j

import (
	"context"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"

	"github.com/neorag/neorag/internal/sys/childenv"
)

// detach starts the server in a new session, so that it outlives this process and its
// terminal, and does not let it inherit files that are open in this process.
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

// birth is only needed on systems where the command line of a process is unknown.
func birth(int) string { return "" }

// isServer reports whether the process is the server of that home folder. A process
// that ended and was not waited for has no command line.
func isServer(pid int, home, _ string) bool {
	return strings.Contains(commandLine(pid), homeFlag+home+" "+configFlag) && syscall.Kill(pid, 0) == nil
}

func commandLine(pid int) string {
	id := strconv.Itoa(pid)
	if b, err := os.ReadFile("/proc/" + id + "/cmdline"); err == nil {
		return strings.ReplaceAll(string(b), "\x00", " ")
	}
	cmd := exec.CommandContext(context.Background(), "ps", "-ww", "-o", "command=", "-p", id)
	cmd.Env = childenv.Of(childenv.Other)
	b, err := cmd.Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(b))
}

// terminate asks the server to stop.
func terminate(pid int) error { return syscall.Kill(pid, syscall.SIGTERM) }

// kill ends the server immediately.
func kill(pid int) error { return syscall.Kill(pid, syscall.SIGKILL) }

// reap releases a child process that has ended.
func reap(pid int) { _, _ = syscall.Wait4(pid, nil, syscall.WNOHANG, nil) }
