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
	level     float64
	refilled  time.Time
}

// usableShare is the share of a server's limit that is used, since the server's clock
// differs from ours.
const usableShare = 0.95

func newTokenBucket(perMinute float64) tokenBucket {
	b := tokenBucket{perMinute: perMinute, fixed: perMinute > 0, refilled: time.Now()}
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

// take subtracts n, which may be negative to give back.
func (b *tokenBucket) take(n float64) { b.level -= n }

// update sets the limit and the part of it that is left from a server's headers. A
// perMinute of 0 and a left of -1 mean unknown. A limit set by the user stays.
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
