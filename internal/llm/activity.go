package llm

import (
	"cmp"
	"slices"
	"sync"
	"time"
)

// An Activity is what calls to models are doing now: how many are in flight, and what others
// wait for. Limiters share it. The zero value is ready to use, and nil records nothing.
type Activity struct {
	mu       sync.Mutex
	inFlight int
	waits    map[*Wait]struct{}
}

// A WaitReason is why calls wait before they are sent.
type WaitReason int

// The reasons, the one that people need to know most first.
const (
	WaitRefused WaitReason = iota // the server refused a call or did not answer
	WaitRate                      // more calls would exceed a limit per minute
	WaitBudget                    // calls in flight have reserved what is left of the budget
)

// A Wait is what calls to a server wait for.
type Wait struct {
	Server    string // host and port
	Reason    WaitReason
	Status    int       // HTTP status of the refusal; 0: no answer, or another reason
	Unit      string    // of a limit per minute: requests or tokens
	PerMinute float64   // the limit
	Until     time.Time // when the first call is sent; zero if that is not known
	Calls     int       // that wait
}

// ActivityState is a snapshot of an Activity.
type ActivityState struct {
	InFlight int
	Waits    []Wait // at most one for each server, sorted by server
}

// State returns what the calls are doing. If the calls to a server wait for several reasons, it
// has the first in the order of the reasons.
func (a *Activity) State() ActivityState {
	if a == nil {
		return ActivityState{}
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	all := make([]Wait, 0, len(a.waits))
	for w := range a.waits {
		all = append(all, *w)
	}
	slices.SortFunc(all, func(x, y Wait) int {
		return cmp.Or(cmp.Compare(x.Server, y.Server), cmp.Compare(x.Reason, y.Reason), x.Until.Compare(y.Until),
			cmp.Compare(x.Status, y.Status), cmp.Compare(x.Unit, y.Unit))
	})
	out := ActivityState{InFlight: a.inFlight}
	for _, w := range all {
		if n := len(out.Waits); n > 0 && out.Waits[n-1].Server == w.Server {
			out.Waits[n-1].Calls++
			continue
		}
		w.Calls = 1
		out.Waits = append(out.Waits, w)
	}
	return out
}

// serverActivity records the calls to one server.
type serverActivity struct {
	*Activity

	server string
}

// wait records a call that waits, until end is called.
func (a serverActivity) wait(w Wait) (end func()) {
	if a.Activity == nil {
		return func() {}
	}
	w.Server = a.server
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.waits == nil {
		a.waits = map[*Wait]struct{}{}
	}
	a.waits[&w] = struct{}{}
	return func() {
		a.mu.Lock()
		defer a.mu.Unlock()
		delete(a.waits, &w)
	}
}

// send records a call in flight, until end is called.
func (a serverActivity) send() (end func()) {
	if a.Activity == nil {
		return func() {}
	}
	a.count(1)
	return func() { a.count(-1) }
}

func (a serverActivity) count(n int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.inFlight += n
}
