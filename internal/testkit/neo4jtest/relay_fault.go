package neo4jtest

import (
	"encoding/binary"
	"time"
)

// A Fault is what a Relay does to a write transaction when its client asks the server to
// commit it: with COMMIT, or by running a single statement. OnRead does it to the statement of
// a read transaction.
type Fault int

// The faults. Servers of a cluster report the last two.
const (
	NoFault     Fault = iota
	LoseAnswer        // the server commits; the connection is closed instead of passing its answer on
	CutRequest        // the connection is closed instead of passing the request on
	DelayAnswer       // the server commits; its answer is passed on after answerDelay
	NotALeader        // the server rolls back, and the client gets the error of a server that does not lead the database
	Unavailable       // the server rolls back, and the client gets the error of a database that is not available
)

// codes are the errors that clients get instead of the answer.
var codes = map[Fault]string{
	NotALeader:  "Neo.ClientError.Cluster.NotALeader",
	Unavailable: "Neo.TransientError.General.DatabaseUnavailable",
}

// failure returns the message that reports a fault.
func (f Fault) failure() []byte {
	message := []byte{0xB1, boltFailure, 0x82}
	for _, s := range []string{"code", codes[f], "message", codes[f] + " of the test"} {
		message = append(append(message, 0xD0, byte(len(s))), s...)
	}
	raw := binary.BigEndian.AppendUint16(nil, uint16(len(message))) //nolint:gosec // some 150 bytes
	return append(append(raw, message...), 0, 0)
}

// answerDelay is how long DelayAnswer takes.
const answerDelay = 50 * time.Millisecond

// OnCommit makes the relay call fault for each write transaction that a client asks the
// server to commit, with its number from 1. Numbers and counts start again from 1.
func (r *Relay) OnCommit(fault func(n int) Fault) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.fault, r.commits, r.injected, r.refused = fault, 0, 0, 0
}

// OnRead makes the relay call fault for each statement of a read transaction, with its number
// from 1. Only NotALeader, Unavailable and CutRequest happen to these. Injected counts
// them with the faults of commits.
func (r *Relay) OnRead(fault func(n int) Fault) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.readFault, r.reads, r.injected = fault, 0, 0
}

// Reads returns how many statements of read transactions clients sent.
func (r *Relay) Reads() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.reads
}

// Commits returns how many write transactions clients asked the server to commit. A
// transaction that is tried again counts again.
func (r *Relay) Commits() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.commits
}

// Injected returns how many faults happened. A lost answer counts only if the
// server committed.
func (r *Relay) Injected() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.injected
}

// Refused returns how many answers were to be lost or delayed, but the server did not
// commit, so that they were passed on.
func (r *Relay) Refused() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.refused
}

// LoseOne returns a function for OnCommit that loses the answer to commit n.
func LoseOne(n int) func(int) Fault {
	return func(i int) Fault {
		if i == n {
			return LoseAnswer
		}
		return NoFault
	}
}

// LoseEverySecond loses the answer to every second commit. If one transaction runs at a
// time, and each is tried again after its answer was lost, it loses the first answer to
// every transaction.
func LoseEverySecond(n int) Fault {
	if n%2 == 1 {
		return LoseAnswer
	}
	return NoFault
}

// nextCommit counts a commit and returns its fault.
func (r *Relay) nextCommit() Fault {
	return r.next(&r.commits, &r.fault)
}

// nextRead counts a statement that reads, and returns its fault.
func (r *Relay) nextRead() Fault {
	return r.next(&r.reads, &r.readFault)
}

// next counts what may fail, and returns its fault.
func (r *Relay) next(count *int, fault *func(n int) Fault) Fault {
	r.mu.Lock()
	*count++
	n, choose := *count, *fault
	r.mu.Unlock()
	if choose == nil {
		return NoFault
	}
	return choose(n)
}

// refuse counts a fault that did not happen because the server did not commit.
func (r *Relay) refuse() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.refused++
}

// inject counts a fault.
func (r *Relay) inject() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.injected++
}
