package localneo4j

import (
	"os"
	"os/exec"
	"strconv"
	"syscall"
)

const (
	detachedProcess       = 0x00000008
	createNewProcessGroup = 0x00000200
	queryLimited          = 0x00001000
	stillActive           = 259
)

// detach lets the server outlive this process and its console.
func detach(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: detachedProcess | createNewProcessGroup}
}

// birth returns the time at which a running process was created, "" if it is not
// running.
func birth(pid int) string {
	h, err := syscall.OpenProcess(queryLimited, false, uint32(pid))
	if err != nil {
		return ""
	}
	defer func() { _ = syscall.CloseHandle(h) }()
	var code uint32
	if err := syscall.GetExitCodeProcess(h, &code); err != nil || code != stillActive {
		return ""
	}
	var created, exited, kernel, user syscall.Filetime
	if err := syscall.GetProcessTimes(h, &created, &exited, &kernel, &user); err != nil {
		return ""
	}
	return strconv.FormatInt(created.Nanoseconds(), 10)
}

// isServer reports whether the process is the one that was started.
func isServer(pid int, _, born string) bool { return born != "" && birth(pid) == born }

// terminate ends the server immediately: a process without a console cannot be
// signalled, and Neo4j recovers at the next start.
func terminate(pid int) error { return kill(pid) }

// kill ends the server immediately.
func kill(pid int) error {
	p, err := os.FindProcess(pid)
	if err != nil {
		return err
	}
	return p.Kill()
}

// reap does nothing: this system keeps no ended processes.
func reap(int) {}
