package llm

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"
)

// crowd plays a server with so many places against a pace, round by round, and
// counts the calls and the refusals after the first ones.
func crowd(p *aimd, places, calls, skip int) (late, refused int) {
	for done := 0; done < calls; {
		going := p.limit
		first := true
		for i := range going {
			done++
			if done > skip {
				late++
			}
			if i < places {
				p.onSuccess()
				continue
			}
			if done > skip {
				refused++
			}
			if first {
				p.onRefusal()
				first = false
			}
		}
	}
	return late, refused
}

func TestPaceFindsTheServersPlaces(t *testing.T) {
	t.Parallel()
	for _, places := range []int{1, 2, 3, 8, 20, 31} {
		p := newAIMD(32)
		late, refused := crowd(&p, places, 3000, 300)
		if share := float64(refused) / float64(late); share > 0.05 {
			t.Errorf("%d places: %.1f %% of calls refused after the start, want at most 5", places, 100*share)
		}
		if p.limit < places*3/4 || p.limit > places+1 {
			t.Errorf("%d places: the pace settles at %d", places, p.limit)
		}
	}
}

func TestPaceRecovers(t *testing.T) {
	t.Parallel()
	p := newAIMD(32)
	crowd(&p, 4, 500, 0)
	for range 2000 {
		p.onSuccess()
	}
	if p.limit != 32 {
		t.Errorf("after 2,000 successes the pace is %d, want 32", p.limit)
	}
}

func TestPaceStaysInBounds(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := newAIMD(rapid.IntRange(1, 64).Draw(t, "most"))
		for _, ok := range rapid.SliceOfN(rapid.Bool(), 0, 400).Draw(t, "outcomes") {
			if ok {
				p.onSuccess()
			} else {
				p.onRefusal()
			}
			if p.limit < 1 || p.limit > p.max || p.successesNeeded() < 1 {
				t.Fatalf("pace %+v", p)
			}
		}
	})
}

// In no minute do more calls start than allowed, and nearly as many do.
func TestRequestsPerMinute(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := NewLimiter(Limits{Concurrent: 4, RequestsPerMinute: 120})
		var starts []time.Time
		begin := time.Now()
		for time.Since(begin) < 5*time.Minute {
			tk, err := g.acquire(context.Background(), 1)
			if err != nil {
				t.Fatal(err)
			}
			starts = append(starts, time.Now())
			g.release(tk, Usage{}, nil)
		}
		if most := densest(starts, time.Minute); most > 120 {
			t.Errorf("%d calls within a minute, want at most 120", most)
		}
		if n := len(starts); n < 560 {
			t.Errorf("%d calls in 5 minutes, want nearly 600", n)
		}
	})
}

func densest(times []time.Time, window time.Duration) int {
	most, first := 0, 0
	for i := range times {
		for times[i].Sub(times[first]) >= window {
			first++
		}
		most = max(most, i-first+1)
	}
	return most
}

func TestTokensAreSettled(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := NewLimiter(Limits{Concurrent: 1, TokensPerMinute: 60000})
		begin := time.Now()
		for range 100 { // each reserves 3,000 and takes 600: 60,000 in all
			tk, err := g.acquire(context.Background(), 3000)
			if err != nil {
				t.Fatal(err)
			}
			g.release(tk, Usage{TokensIn: 500, TokensOut: 100}, nil)
		}
		if took := time.Since(begin); took < 55*time.Second || took > 70*time.Second {
			t.Errorf("60,000 tokens at 60,000 a minute took %v", took)
		}
		// A call larger than a minute's allowance goes, and the next waits for it.
		tk, err := g.acquire(context.Background(), 120000)
		if err != nil {
			t.Fatal(err)
		}
		g.release(tk, Usage{TokensIn: 120000}, nil)
		begin = time.Now()
		if _, err := g.acquire(context.Background(), 1); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(begin); took < 110*time.Second || took > 135*time.Second {
			t.Errorf("after two minutes' tokens at once the next call waited %v", took)
		}
	})
}

func TestGateLearnsFromHeaders(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := NewLimiter(Limits{})
		g.update(RateLimits{RequestsPerMinute: 60, RequestsLeft: 0, TokensLeft: -1})
		begin := time.Now()
		if _, err := g.acquire(context.Background(), 1); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(begin); took <= 0 || took > 2*time.Second {
			t.Errorf("with nothing left of 60 a minute the next call waited %v, want about a second", took)
		}
		own := NewLimiter(Limits{RequestsPerMinute: 10})
		own.update(RateLimits{RequestsPerMinute: 1000, RequestsLeft: 999, TokensLeft: -1})
		if own.requests.perMinute != 10 {
			t.Errorf("a header raised the user's own limit to %v", own.requests.perMinute)
		}
	})
}

func TestGateLetsGoOfTheCancelled(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := NewLimiter(Limits{Concurrent: 1})
		first, err := g.acquire(context.Background(), 1)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		if _, err := g.acquire(ctx, 1); err == nil {
			t.Fatal("a second call got the only place")
		}
		g.release(first, Usage{}, nil)
		if s := g.Stats(); s.Running != 0 || len(g.waiting) != 0 {
			t.Errorf("the gate holds %+v", s)
		}
		if _, err := g.acquire(context.Background(), 1); err != nil {
			t.Error(err)
		}
	})
}
