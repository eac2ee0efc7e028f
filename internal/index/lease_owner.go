package index

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"

	"github.com/neorag/neorag/internal/graph"
)

// A leaseOwner identifies the process that holds a lease, so that another process of
// the same machine can see whether it is alive. Without it, every run after a kill
// would wait for the lease to expire.
type leaseOwner struct {
	pid     int
	machine string // machineID of the process
	started string // start time, to distinguish a later process with the same id; "" if the system does not provide it
}

// leaseOwnerPattern matches the name of an owner in a lease: a text for people, then
// the machine and the start time.
var leaseOwnerPattern = regexp.MustCompile(`^process (\d+) on .*, run .* \[([0-9a-f]+) (\d*)\]$`)

// leaseOwnerName returns the name under which a run of this process holds a lease.
func leaseOwnerName(run string) string {
	host, err := os.Hostname()
	if err != nil {
		host = "an unnamed host"
	}
	_, started := processState(os.Getpid())
	return fmt.Sprintf("process %d on %s, run %s [%s %s]", os.Getpid(), host, run, machineID(), started)
}

// parseLeaseOwner parses a name made by leaseOwnerName.
func parseLeaseOwner(name string) (leaseOwner, bool) {
	m := leaseOwnerPattern.FindStringSubmatch(name)
	if m == nil {
		return leaseOwner{}, false
	}
	pid, err := strconv.Atoi(m[1])
	return leaseOwner{pid: pid, machine: m[2], started: m[3]}, err == nil && pid > 0
}

// LeaseOwnerEnded reports whether the owner of a lease is certainly dead.
func LeaseOwnerEnded(owner string) bool {
	o, known := parseLeaseOwner(owner)
	return known && o.hasEnded()
}

// hasEnded reports whether the process is certainly dead. It is false if that cannot
// be known: the process is on another machine, or its id is in use and the system does
// not provide start times.
func (o leaseOwner) hasEnded() bool {
	if o.machine != machineID() {
		return false
	}
	if state, started := processState(o.pid); state != "" {
		return state == "Z" || state == "X" || o.started != "" && started != o.started
	}
	p, err := os.FindProcess(o.pid)
	if err != nil {
		return false
	}
	defer func() { _ = p.Release() }()
	return errors.Is(p.Signal(syscall.Signal(0)), os.ErrProcessDone)
}

// processState returns the state of a process as a letter and its start time, or "" if
// there is no such process or the system has no /proc.
func processState(pid int) (state, started string) {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return "", ""
	}
	// The name in parentheses may contain anything, so fields are counted from its end.
	fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
	if len(fields) < 20 {
		return "", ""
	}
	return fields[0], fields[19]
}

// machineID identifies this machine since its last boot, and the process namespace:
// two containers have different ids.
var machineID = sync.OnceValue(func() string {
	host, err := os.Hostname()
	if err != nil {
		host = strconv.Itoa(os.Getpid()) // a unique id, so that no process is considered dead
	}
	boot, _ := os.ReadFile("/proc/sys/kernel/random/boot_id") // exists only on Linux
	space, _ := os.Readlink("/proc/self/ns/pid")
	return graph.Hash(host, string(boot), space)[:12]
})
