package llm

import (
	"testing"

	"pgregory.net/rapid"
)

// simulate runs calls, in rounds, against a server that accepts a number of concurrent
// calls and refuses the others. It counts the calls and the refusals after the first
// skip calls.
func simulate(a *aimd, accepted, calls, skip int) (late, refused int) {
	for done := 0; done < calls; {
		running := a.limit
		first := true
		for i := range running {
			done++
			if done > skip {
				late++
			}
			if i < accepted {
				a.onSuccess()
				continue
			}
			if done > skip {
				refused++
			}
			if first {
				a.onRefusal()
				first = false
			}
		}
	}
	return late, refused
}

func TestAIMDFindsTheServersConcurrency(t *testing.T) {
	t.Parallel()
	for _, accepted := range []int{1, 2, 3, 8, 20, 31} {
		a := newAIMD(32)
		late, refused := simulate(&a, accepted, 3000, 300)
		if share := float64(refused) / float64(late); share > 0.05 {
			t.Errorf("%d accepted: %.1f %% of calls refused after the start, want at most 5", accepted, 100*share)
		}
		if a.limit < accepted*3/4 || a.limit > accepted+1 {
			t.Errorf("%d accepted: the limit settles at %d", accepted, a.limit)
		}
	}
}

func TestAIMDRecovers(t *testing.T) {
	t.Parallel()
	a := newAIMD(32)
	simulate(&a, 4, 500, 0)
	for range 2000 {
		a.onSuccess()
	}
	if a.limit != 32 {
		t.Errorf("after 2,000 successes the limit is %d, want 32", a.limit)
	}
}

func TestAIMDStaysInBounds(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a := newAIMD(rapid.IntRange(1, 64).Draw(t, "max"))
		for _, ok := range rapid.SliceOfN(rapid.Bool(), 0, 400).Draw(t, "outcomes") {
			if ok {
				a.onSuccess()
			} else {
				a.onRefusal()
			}
			if a.limit < 1 || a.limit > a.max || a.successesNeeded() < 1 {
				t.Fatalf("state %+v", a)
			}
		}
	})
}
