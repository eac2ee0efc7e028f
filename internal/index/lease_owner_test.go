package index

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"testing"

	"github.com/neorag/neorag/internal/testkit/testcorpora"
)

// sleeper starts a process that lives until it is killed.
func sleeper(t *testing.T) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "sleep", "60")
	if err := cmd.Start(); err != nil {
		testcorpora.Missing(t, "processes", "start sleep: "+err.Error())
	}
	return cmd
}

// leaseOwnerOf returns the name under which another process of a machine holds a lease.
func leaseOwnerOf(pid int, machine, started string) string {
	return fmt.Sprintf("process %d on a host, of some kind, run 1, [2] [%s %s]", pid, machine, started)
}

func TestLeaseOwnerNamesThisProcess(t *testing.T) {
	t.Parallel()
	h, ok := parseLeaseOwner(leaseOwnerName("a run"))
	if !ok || h.pid != os.Getpid() || h.machine != machineID() {
		t.Errorf("parseHolder(%q) = %+v, %v", leaseOwnerName("a run"), h, ok)
	}
	if h.hasEnded() {
		t.Error("this process counts as dead")
	}
	for _, name := range []string{"", "another", "drop 12 ABC", "process x on y, run z [00 1]", "process 0 on y, run z [00 1]", "process 99999999999999999999 on y, run z [00 1]"} {
		if h, ok := parseLeaseOwner(name); ok {
			t.Errorf("parseHolder(%q) = %+v, want none", name, h)
		}
	}
}

// TestLeaseOwnerHasEnded checks that only processes that are certainly dead count as
// dead.
func TestLeaseOwnerHasEnded(t *testing.T) {
	t.Parallel()
	here := machineID()
	living := sleeper(t)
	_, started := processState(living.Process.Pid)
	gone := sleeper(t)
	_, goneStarted := processState(gone.Process.Pid)
	zombie := sleeper(t)
	_, zombieStarted := processState(zombie.Process.Pid)
	for _, c := range []*exec.Cmd{gone, zombie} {
		if err := c.Process.Kill(); err != nil {
			t.Fatal(err)
		}
	}
	_ = gone.Wait()
	defer func() {
		_ = living.Process.Kill()
		_, _ = living.Wait(), zombie.Wait()
	}()
	linux := runtime.GOOS == "linux"
	tests := []struct {
		what, name string
		want       bool
	}{
		{"alive", leaseOwnerOf(living.Process.Pid, here, started), false},
		{"alive, unknown start time", leaseOwnerOf(living.Process.Pid, here, ""), false},
		{"dead", leaseOwnerOf(gone.Process.Pid, here, goneStarted), true},
		{"dead, unknown start time", leaseOwnerOf(gone.Process.Pid, here, ""), true},
		{"dead, on another machine", leaseOwnerOf(gone.Process.Pid, "0123456789ab", goneStarted), false},
		{"the id belongs to a later process", leaseOwnerOf(living.Process.Pid, here, started+"1"), linux},
		{"process 1", leaseOwnerOf(1, here, ""), false},
	}
	for _, tt := range tests {
		h, ok := parseLeaseOwner(tt.name)
		if !ok {
			t.Errorf("%s: parseHolder(%q) finds nothing", tt.what, tt.name)
		} else if got := h.hasEnded(); got != tt.want {
			t.Errorf("%s: ended = %v, want %v", tt.what, got, tt.want)
		}
	}
	if !linux {
		return
	}
	// A zombie: killed, but its parent has not waited for it.
	h := leaseOwner{pid: zombie.Process.Pid, machine: here, started: zombieStarted}
	for range 1000 {
		if h.hasEnded() {
			return
		}
		if _, err := os.ReadFile("/proc/" + strconv.Itoa(h.pid) + "/stat"); err != nil {
			t.Fatal(err)
		}
		runtime.Gosched()
	}
	t.Error("a zombie counts as alive")
}
