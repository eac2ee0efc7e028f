package llm

// aimd limits how many calls run concurrently, by additive increase and multiplicative
// decrease. The limit halves on the first refusal. Then it rises quickly towards the
// level that was refused, the ceiling. It reaches the ceiling again only after probeAfter
// successful calls, a number that doubles each time the ceiling is refused again. So a
// server with a fixed concurrency refuses fewer and fewer calls.
type aimd struct {
	limit, max   int
	ceiling      int // the level that was last refused; max+1 if none is known
	successes    int // successes since the last change
	probeAfter   int // successes needed to try the ceiling again
	sinceRefusal int // successes since the last refusal
}

const (
	minProbeAfter = 32
	maxProbeAfter = 512
)

func newAIMD(limit int) aimd {
	return aimd{limit: limit, max: limit, ceiling: limit + 1, probeAfter: minProbeAfter, sinceRefusal: 1}
}

// onSuccess records a call that succeeded, and raises the limit after enough of them.
func (a *aimd) onSuccess() {
	a.successes++
	a.sinceRefusal++
	if a.successes < a.successesNeeded() {
		return
	}
	a.successes = 0
	if a.limit >= a.ceiling { // the ceiling is not refused any more: forget it
		a.ceiling = a.max + 1
		a.probeAfter = minProbeAfter
	}
	a.limit = min(a.max, a.limit+1)
}

// successesNeeded returns how many successes raise the limit by one.
func (a *aimd) successesNeeded() int {
	switch {
	case a.limit+1 >= a.ceiling && a.ceiling <= a.max:
		return a.probeAfter
	case 2*a.limit < a.ceiling:
		return 1
	default:
		return a.limit
	}
}

// onRefusal records a call that the server refused, and lowers the limit. It reports
// whether no call succeeded since the last refusal: then concurrency is not the
// reason, and all calls should pause for as long as the server asks.
func (a *aimd) onRefusal() (pause bool) {
	level := a.limit
	pause = a.sinceRefusal == 0
	switch {
	case pause:
		a.limit = max(1, level/2)
	case level >= a.ceiling:
		a.limit = max(1, a.ceiling-1)
		a.probeAfter = min(2*a.probeAfter, maxProbeAfter)
	default:
		a.limit = max(1, level/2)
		a.ceiling = max(level, 2)
	}
	a.successes, a.sinceRefusal = 0, 0
	return pause
}
