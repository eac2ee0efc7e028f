package index

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"testing"
)

// sleeper starts a process that lives until it is killed.
func sleeper(t *testing.T) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "sleep", "60")
	if err := cmd.Start(); err != nil {
		t.Skip(err)
	}
	return cmd
}

// leaseOwnerOf is what a run in another process of this machine writes into its lease.
func leaseOwnerOf(pid int, machine, birth string) string {
	return fmt.Sprintf("process %d on a host, of some kind, run 1, [2] [%s %s]", pid, machine, birth)
}

func TestLeaseOwnerNamesThisProcess(t *testing.T) {
	t.Parallel()
	h, ok := parseLeaseOwner(leaseOwnerName("a run"))
	if !ok || h.pid != os.Getpid() || h.machine != machineID() {
		t.Errorf("parseHolder(%q) = %+v, %v", leaseOwnerName("a run"), h, ok)
	}
	if h.hasEnded() {
		t.Error("this process is taken for dead")
	}
	for _, name := range []string{"", "another", "drop 12 ABC", "process x on y, run z [00 1]", "process 0 on y, run z [00 1]", "process 99999999999999999999 on y, run z [00 1]"} {
		if h, ok := parseLeaseOwner(name); ok {
			t.Errorf("parseHolder(%q) = %+v, want none", name, h)
		}
	}
}

// TestLeaseOwnerHasEnded: dead is only who is certainly dead.
func TestLeaseOwnerHasEnded(t *testing.T) {
	t.Parallel()
	here := machineID()
	living := sleeper(t)
	_, birth := processState(living.Process.Pid)
	gone := sleeper(t)
	_, goneBirth := processState(gone.Process.Pid)
	unburied := sleeper(t)
	_, unburiedBirth := processState(unburied.Process.Pid)
	for _, c := range []*exec.Cmd{gone, unburied} {
		if err := c.Process.Kill(); err != nil {
			t.Fatal(err)
		}
	}
	_ = gone.Wait()
	defer func() {
		_ = living.Process.Kill()
		_, _ = living.Wait(), unburied.Wait()
	}()
	linux := runtime.GOOS == "linux"
	tests := []struct {
		what, name string
		want       bool
	}{
		{"alive", leaseOwnerOf(living.Process.Pid, here, birth), false},
		{"alive, of unknown birth", leaseOwnerOf(living.Process.Pid, here, ""), false},
		{"gone", leaseOwnerOf(gone.Process.Pid, here, goneBirth), true},
		{"gone, of unknown birth", leaseOwnerOf(gone.Process.Pid, here, ""), true},
		{"gone, on another machine", leaseOwnerOf(gone.Process.Pid, "0123456789ab", goneBirth), false},
		{"the id belongs to a later process", leaseOwnerOf(living.Process.Pid, here, birth+"1"), linux},
		{"the process of all processes", leaseOwnerOf(1, here, ""), false},
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
	// Killed, and its parent has not looked yet.
	h := leaseOwner{pid: unburied.Process.Pid, machine: here, started: unburiedBirth}
	for range 1000 {
		if h.hasEnded() {
			return
		}
		if _, err := os.ReadFile("/proc/" + strconv.Itoa(h.pid) + "/stat"); err != nil {
			t.Fatal(err)
		}
		runtime.Gosched()
	}
	t.Error("a killed process whose parent does not look is taken for alive")
}
