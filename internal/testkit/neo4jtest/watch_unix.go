//go:build unix

package neo4jtest

import (
	"context"
	"os/exec"
	"strconv"
	"syscall"
)

// watchdog waits for the end of its input, which means that the process at the other
// end has ended, then kills the server and removes its folder. The line "done" ends
// it without doing so.
const watchdog = `read -r line; [ "$line" = done ] && exit 0
kill -9 "$1" 2>/dev/null
n=0; while kill -0 "$1" 2>/dev/null && [ "$n" -lt 50 ]; do sleep 0.1; n=$((n+1)); done
rm -rf "$2"`

// watch makes the server end with this process, even if this process is killed. The
// returned function ends the watch.
func watch(ctx context.Context, pid int, dir string) func() {
	cmd := exec.CommandContext(context.WithoutCancel(ctx), "sh", "-c", watchdog, "sh", strconv.Itoa(pid), dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	in, err := cmd.StdinPipe()
	if err != nil {
		return func() {}
	}
	if err := cmd.Start(); err != nil {
		return func() {}
	}
	return func() {
		_, _ = in.Write([]byte("done\n"))
		_ = in.Close()
		_ = cmd.Wait()
	}
}
