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

// A leaseOwner is the process that holds a lease, as far as another process of the
// same machine needs it to see whether it still lives.
type leaseOwner struct {
	pid     int
	machine string // this start of this machine, and its table of processes
	started string // tells the process from a later one with the same id; "" where the system does not say
}

// leaseOwnerPattern is how a holder stands in a lease: for people first.
var leaseOwnerPattern = regexp.MustCompile(`^process (\d+) on .*, run .* \[([0-9a-f]+) (\d*)\]$`)

// leaseOwnerName names this process and its run as the holder of a lease.
func leaseOwnerName(run string) string {
	host, err := os.Hostname()
	if err != nil {
		host = "an unnamed host"
	}
	_, birth := processState(os.Getpid())
	return fmt.Sprintf("process %d on %s, run %s [%s %s]", os.Getpid(), host, run, machineID(), birth)
}

// parseLeaseOwner reads what leaseOwnerName wrote.
func parseLeaseOwner(name string) (leaseOwner, bool) {
	m := leaseOwnerPattern.FindStringSubmatch(name)
	if m == nil {
		return leaseOwner{}, false
	}
	pid, err := strconv.Atoi(m[1])
	return leaseOwner{pid: pid, machine: m[2], started: m[3]}, err == nil && pid > 0
}

// hasEnded says that the holder's process is certainly gone. It is false when
// that cannot be known: of another machine, or of a process whose id lives and
// whose birth the system does not tell.
func (h leaseOwner) hasEnded() bool {
	if h.machine != machineID() {
		return false
	}
	if state, birth := processState(h.pid); state != "" {
		return state == "Z" || state == "X" || h.started != "" && birth != h.started
	}
	p, err := os.FindProcess(h.pid)
	if err != nil {
		return false
	}
	defer func() { _ = p.Release() }()
	return errors.Is(p.Signal(syscall.Signal(0)), os.ErrProcessDone)
}

// processState is the state of a process, by its letter, and the time of its
// birth, where the system has /proc; else "".
func processState(pid int) (state, birth string) {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return "", ""
	}
	// The name in parentheses may hold anything, so that fields count from its end.
	fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
	if len(fields) < 20 {
		return "", ""
	}
	return fields[0], fields[19]
}

// machineID tells this machine, since its start, from others, and containers
// with processes of their own from each other.
var machineID = sync.OnceValue(func() string {
	host, err := os.Hostname()
	if err != nil {
		host = strconv.Itoa(os.Getpid()) // like no other: nobody is taken for dead
	}
	boot, _ := os.ReadFile("/proc/sys/kernel/random/boot_id") // only Linux has it
	space, _ := os.Readlink("/proc/self/ns/pid")
	return graph.Hash(host, string(boot), space)[:12]
})
