package llm

import (
	"math"
	"time"
)

// A tokenBucket limits a rate per minute. Its level may become negative: a call larger
// than a minute's allowance is let through, and the next ones wait until it is paid for.
type tokenBucket struct {
	perMinute float64 // 0: no limit
	fixed     bool    // set by the user: headers may only lower the level
	floor     float64 // of perMinute, unless it is fixed
	logged    bool    // that it delays calls
	level     float64
	refilled  time.Time
}

// Limits in a server's headers are not believed without bounds: a header that is wrong
// must not stop a run. Servers that mean a lower limit refuse calls.
const (
	minLearnedRequests = 1    // per minute
	minLearnedTokens   = 6000 // per minute; two calls or so
	maxLearnedWait     = 2 * time.Minute
)

// usableShare is the share of a server's limit that is used, since the server's clock
// differs from ours.
const usableShare = 0.95

func newTokenBucket(perMinute, floor float64) tokenBucket {
	b := tokenBucket{perMinute: perMinute, fixed: perMinute > 0, floor: floor, refilled: time.Now()}
	b.level = b.burst()
	return b
}

// burst returns the largest level: the share of a minute's allowance that usableShare
// leaves, so that no minute exceeds the allowance.
func (b *tokenBucket) burst() float64 { return max(1, b.perMinute*(1-usableShare)) }

// refill raises the level by what the time since the last refill allows.
func (b *tokenBucket) refill() {
	now := time.Now()
	b.level = min(b.burst(), b.level+now.Sub(b.refilled).Minutes()*b.perMinute*usableShare)
	b.refilled = now
}

// wait returns how long a call that takes n has to wait.
func (b *tokenBucket) wait(n float64) time.Duration {
	if b.perMinute <= 0 {
		return 0
	}
	b.refill()
	short := min(n, b.burst()) - b.level
	if short <= 0 {
		return 0
	}
	return time.Duration(math.Ceil(short/(b.perMinute*usableShare)*float64(time.Minute))) + time.Microsecond
}

// take subtracts n, which may be negative to give back. A limit of the server's headers
// bounds the debt to what maxLearnedWait pays.
func (b *tokenBucket) take(n float64) {
	b.level -= n
	if !b.fixed {
		b.level = max(b.level, b.burst()-b.perMinute*usableShare*maxLearnedWait.Minutes())
	}
}

// update sets the limit and the part of it that is left from a server's headers. A
// perMinute of 0 and a left of -1 mean unknown. A limit set by the user stays.
func (b *tokenBucket) update(perMinute, left float64) {
	if perMinute > 0 {
		perMinute = max(perMinute, b.floor)
	}
	if perMinute > 0 && !b.fixed && perMinute != b.perMinute {
		b.perMinute, b.refilled = perMinute, time.Now()
		b.level = b.burst()
	}
	if b.perMinute > 0 && left >= 0 {
		b.refill()
		b.level = min(b.level, left)
	}
}
