package llm

import (
	"math"
	"time"
)

// A aimd is how many calls may run at once. It halves on the first refusal, then
// feels its way: quickly back towards the level that was refused, and beyond it
// only after a patience that doubles each time the level is refused again. So a
// server with a fixed number of places refuses ever fewer calls.
type aimd struct {
	limit, max int
	ceiling     int // the level last refused; most+1 while none is
	successes        int // successes since the last change
	probeAfter    int // successes before the ceiling is tried again
	sinceRefusal       int // successes since the last refusal
}

const (
	minProbeAfter = 32
	maxProbeAfter  = 512
)

func newAIMD(most int) aimd {
	return aimd{limit: most, max: most, ceiling: most + 1, probeAfter: minProbeAfter, sinceRefusal: 1}
}

func (p *aimd) onSuccess() {
	p.successes++
	p.sinceRefusal++
	if p.successes < p.successesNeeded() {
		return
	}
	p.successes = 0
	if p.limit >= p.ceiling { // holds where it was refused before: look higher
		p.ceiling = p.max + 1
		p.probeAfter = minProbeAfter
	}
	p.limit = min(p.max, p.limit+1)
}

// successesNeeded is how many successes the next step up takes.
func (p *aimd) successesNeeded() int {
	switch {
	case p.limit+1 >= p.ceiling && p.ceiling <= p.max:
		return p.probeAfter
	case 2*p.limit < p.ceiling:
		return 1
	default:
		return p.limit
	}
}

// onRefusal lowers the pace, and reports whether no call got through since the
// last one: then the crowd is not the reason, and the server is to be left alone
// for as long as it asks.
func (p *aimd) onRefusal() (alone bool) {
	level := p.limit
	alone = p.sinceRefusal == 0
	switch {
	case alone:
		p.limit = max(1, level/2)
	case level >= p.ceiling:
		p.limit = max(1, p.ceiling-1)
		p.probeAfter = min(2*p.probeAfter, maxProbeAfter)
	default:
		p.limit = max(1, level/2)
		p.ceiling = max(level, 2)
	}
	p.successes, p.sinceRefusal = 0, 0
	return alone
}

// A tokenBucket meters a rate per minute. It may go into debt: a call that is larger
// than a minute's allowance goes, and the next ones wait until it is paid for.
type tokenBucket struct {
	perMinute float64 // 0: no limit
	fixed     bool    // set by the user: headers may only say what is left
	level     float64
	refilled        time.Time
}

// safetyMargin keeps a little below a server's limit, whose clock is not ours.
const safetyMargin = 0.95

func newTokenBucket(perMinute float64) tokenBucket {
	b := tokenBucket{perMinute: perMinute, fixed: perMinute > 0, refilled: time.Now()}
	b.level = b.burst()
	return b
}

// burst is what may go at once: what safety leaves of a minute's allowance,
// so that no minute holds more than the allowance.
func (b *tokenBucket) burst() float64 { return max(1, b.perMinute*(1-safetyMargin)) }

func (b *tokenBucket) refill() {
	now := time.Now()
	b.level = min(b.burst(), b.level+now.Sub(b.refilled).Minutes()*b.perMinute*safetyMargin)
	b.refilled = now
}

// wait is how long a call that takes n has to wait.
func (b *tokenBucket) wait(n float64) time.Duration {
	if b.perMinute <= 0 {
		return 0
	}
	b.refill()
	short := min(n, b.burst()) - b.level
	if short <= 0 {
		return 0
	}
	return time.Duration(math.Ceil(short/(b.perMinute*safetyMargin)*float64(time.Minute))) + time.Microsecond
}

func (b *tokenBucket) take(n float64) { b.level -= n }

// update sets the limit and what is left of it, as the server tells it.
func (b *tokenBucket) update(perMinute, left float64) {
	if perMinute > 0 && !b.fixed && perMinute != b.perMinute {
		b.perMinute, b.refilled = perMinute, time.Now()
		b.level = b.burst()
	}
	if b.perMinute > 0 && left >= 0 {
		b.refill()
		b.level = min(b.level, left)
	}
}
