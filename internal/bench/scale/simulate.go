package main

import (
	"container/heap"
	"math"
	"math/rand/v2"
	"slices"
)

// A setup is model servers that answer calls, and one process that writes the answers to the graph, one
// at a time.
type setup struct {
	Servers int     // of the model
	Slots   int     // calls that a server answers at the same time
	Latency float64 // mean seconds of a call; they have a lognormal distribution
	Write   float64 // seconds to write what a call found
	Window  int     // calls that are under way or wait to be written; 0: a quarter more than all slots, and maxBatch

	Life    float64 // mean seconds until a server stops, and its calls are lost; 0: none stops
	Restart float64 // seconds until it answers again
	AckWait float64 // seconds until another server gets its calls
}

// maxBatch is how many results wait to be written before calls wait too.
const maxBatch = 256

// spreadOfLatency is the standard deviation of the logarithm of latencies: one call in twenty takes
// about twice the mean.
const spreadOfLatency = .5

// A throughput is what a setup does.
type throughput struct {
	PerSecond float64 // calls written
	Calling   float64 // share of the slots in use
	Writing   float64 // share of the time in which the process writes
	Repeated  float64 // calls that were lost with their server, as a share of all
}

// The kinds of events.
const (
	answered    = iota // a server ends a call
	stopped            // a server stops
	started            // it answers again
	redelivered        // a lost call is given to another server
	written            // the process has written what a call found
)

type event struct {
	at         float64
	kind       int
	server     int
	generation int // of the server, which changes when it stops
}

type events []event

func (e events) Len() int           { return len(e) }
func (e events) Less(i, j int) bool { return e[i].at < e[j].at }
func (e events) Swap(i, j int)      { e[i], e[j] = e[j], e[i] }
func (e *events) Push(x any)        { *e = append(*e, x.(event)) } //nolint:forcetypeassert // of this package
func (e *events) Pop() any {
	last := (*e)[len(*e)-1]
	*e = (*e)[:len(*e)-1]
	return last
}

// A simulation is the state of a setup at a time.
type simulation struct {
	setup

	random     *rand.Rand
	now        float64
	events     events
	free       []int // slots by server
	running    []int // calls by server
	generation []int
	waiting    int // calls without a server
	answers    int // to be written
	writing    bool

	made, done, lost int
	calling, writes  float64 // seconds of slots and of the process in use
}

// simulate runs a setup until a number of calls is written.
func simulate(s setup, calls int, seed uint64) throughput {
	if s.Window == 0 {
		s.Window = s.Servers*s.Slots*5/4 + maxBatch
	}
	m := &simulation{
		setup: s, random: rand.New(rand.NewPCG(seed, 1)), //nolint:gosec // not for security
		free: slices.Repeat([]int{s.Slots}, s.Servers), running: make([]int, s.Servers), generation: make([]int, s.Servers),
		waiting: min(s.Window, calls),
	}
	m.made = m.waiting
	for server := range s.Servers {
		m.live(server)
	}
	m.give()
	for m.done < calls {
		e, _ := heap.Pop(&m.events).(event)
		m.pass(e.at)
		m.handle(e, calls)
		m.give()
		m.write()
	}
	slots := float64(s.Servers * s.Slots)
	return throughput{
		PerSecond: float64(calls) / m.now, Calling: m.calling / (slots * m.now), Writing: m.writes / m.now,
		Repeated: float64(m.lost) / float64(calls),
	}
}

// pass lets time pass.
func (m *simulation) pass(now float64) {
	for _, n := range m.running {
		m.calling += float64(n) * (now - m.now)
	}
	if m.writing {
		m.writes += now - m.now
	}
	m.now = now
}

func (m *simulation) handle(e event, calls int) {
	switch e.kind {
	case answered:
		if e.generation == m.generation[e.server] {
			m.running[e.server]--
			m.free[e.server]++
			m.answers++
		}
	case stopped:
		for range m.running[e.server] {
			m.after(m.AckWait, redelivered, e.server)
		}
		m.lost += m.running[e.server]
		m.running[e.server], m.free[e.server] = 0, 0
		m.generation[e.server]++
		m.after(m.Restart, started, e.server)
	case started:
		m.free[e.server] = m.Slots
		m.live(e.server)
	case redelivered:
		m.waiting++
	case written:
		m.writing = false
		m.done++
		if m.made < calls {
			m.made++
			m.waiting++
		}
	}
}

// give hands waiting calls to the servers with the most free slots.
func (m *simulation) give() {
	for m.waiting > 0 {
		server := 0
		for i, n := range m.free {
			if n > m.free[server] {
				server = i
			}
		}
		if m.free[server] == 0 {
			return
		}
		m.waiting--
		m.free[server]--
		m.running[server]++
		mean := math.Log(m.Latency) - spreadOfLatency*spreadOfLatency/2
		m.after(math.Exp(mean+spreadOfLatency*m.random.NormFloat64()), answered, server)
	}
}

// write begins to write an answer, if there is one and nothing is being written.
func (m *simulation) write() {
	if m.answers == 0 || m.writing {
		return
	}
	m.answers--
	m.writing = true
	m.after(m.Write, written, 0)
}

// live lets a server live for a random time.
func (m *simulation) live(server int) {
	if m.Life > 0 {
		m.after(m.Life*m.random.ExpFloat64(), stopped, server)
	}
}

func (m *simulation) after(seconds float64, kind, server int) {
	heap.Push(&m.events, event{m.now + seconds, kind, server, m.generation[server]})
}
