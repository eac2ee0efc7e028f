package llm

import (
	"math"
	"time"
)

// A pace is how many calls may run at once. It halves on the first refusal, then
// feels its way: quickly back towards the level that was refused, and beyond it
// only after a patience that doubles each time the level is refused again. So a
// server with a fixed number of places refuses ever fewer calls.
type pace struct {
	limit, most int
	ceiling     int // the level last refused; most+1 while none is
	good        int // successes since the last change
	patience    int // successes before the ceiling is tried again
	since       int // successes since the last refusal
}

const (
	firstPatience = 32
	mostPatience  = 512
)

func newPace(most int) pace {
	return pace{limit: most, most: most, ceiling: most + 1, patience: firstPatience, since: 1}
}

func (p *pace) success() {
	p.good++
	p.since++
	if p.good < p.needed() {
		return
	}
	p.good = 0
	if p.limit >= p.ceiling { // holds where it was refused before: look higher
		p.ceiling = p.most + 1
		p.patience = firstPatience
	}
	p.limit = min(p.most, p.limit+1)
}

// needed is how many successes the next step up takes.
func (p *pace) needed() int {
	switch {
	case p.limit+1 >= p.ceiling && p.ceiling <= p.most:
		return p.patience
	case 2*p.limit < p.ceiling:
		return 1
	default:
		return p.limit
	}
}

// refusal lowers the pace, and reports whether no call got through since the
// last one: then the crowd is not the reason, and the server is to be left alone
// for as long as it asks.
func (p *pace) refusal() (alone bool) {
	level := p.limit
	alone = p.since == 0
	switch {
	case alone:
		p.limit = max(1, level/2)
	case level >= p.ceiling:
		p.limit = max(1, p.ceiling-1)
		p.patience = min(2*p.patience, mostPatience)
	default:
		p.limit = max(1, level/2)
		p.ceiling = max(level, 2)
	}
	p.good, p.since = 0, 0
	return alone
}

// A bucket meters a rate per minute. It may go into debt: a call that is larger
// than a minute's allowance goes, and the next ones wait until it is paid for.
type bucket struct {
	perMinute float64 // 0: no limit
	fixed     bool    // set by the user: headers may only say what is left
	level     float64
	at        time.Time
}

// safety keeps a little below a server's limit, whose clock is not ours.
const safety = 0.95

func newBucket(perMinute float64) bucket {
	b := bucket{perMinute: perMinute, fixed: perMinute > 0, at: time.Now()}
	b.level = b.burst()
	return b
}

// burst is what may go at once: what safety leaves of a minute's allowance,
// so that no minute holds more than the allowance.
func (b *bucket) burst() float64 { return max(1, b.perMinute*(1-safety)) }

func (b *bucket) refill() {
	now := time.Now()
	b.level = min(b.burst(), b.level+now.Sub(b.at).Minutes()*b.perMinute*safety)
	b.at = now
}

// wait is how long a call that takes n has to wait.
func (b *bucket) wait(n float64) time.Duration {
	if b.perMinute <= 0 {
		return 0
	}
	b.refill()
	short := min(n, b.burst()) - b.level
	if short <= 0 {
		return 0
	}
	return time.Duration(math.Ceil(short/(b.perMinute*safety)*float64(time.Minute))) + time.Microsecond
}

func (b *bucket) take(n float64) { b.level -= n }

// learn sets the limit and what is left of it, as the server tells it.
func (b *bucket) learn(perMinute, left float64) {
	if perMinute > 0 && !b.fixed && perMinute != b.perMinute {
		b.perMinute, b.at = perMinute, time.Now()
		b.level = b.burst()
	}
	if b.perMinute > 0 && left >= 0 {
		b.refill()
		b.level = min(b.level, left)
	}
}
