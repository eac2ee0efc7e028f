package neo4jtest

import "time"

// A Fault is what a Relay does to a write transaction when its client asks the server to
// commit it: with COMMIT, or by running a single statement.
type Fault int

// The faults.
const (
	NoFault     Fault = iota
	LoseAnswer        // the server commits; the connection is closed instead of passing its answer on
	CutRequest        // the connection is closed instead of passing the request on
	DelayAnswer       // the server commits; its answer is passed on after answerDelay
)

// answerDelay is how long DelayAnswer takes.
const answerDelay = 50 * time.Millisecond

// OnCommit makes the relay call fault for each write transaction that a client asks the
// server to commit, with its number from 1. Numbers and counts start again from 1.
func (r *Relay) OnCommit(fault func(n int) Fault) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.fault, r.commits, r.injected, r.refused = fault, 0, 0, 0
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
	r.mu.Lock()
	r.commits++
	n, fault := r.commits, r.fault
	r.mu.Unlock()
	if fault == nil {
		return NoFault
	}
	return fault(n)
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
