package leiden

import (
	"strings"
	"sync/atomic"
	"testing"
)

func TestTeamDoesEachItemOnce(t *testing.T) {
	t.Parallel()
	for _, size := range []int{1, 2, 5} {
		workers := newTeam(size)
		for _, n := range []int{0, 1, 3, 1000} {
			done := make([]atomic.Int32, n)
			workers.forEach(n, func(worker, item int) {
				if worker < 0 || worker >= size {
					t.Errorf("worker %d of a team of %d", worker, size)
				}
				done[item].Add(1)
			})
			for i := range done {
				if got := done[i].Load(); got != 1 {
					t.Errorf("team of %d: item %d of %d was done %d times", size, i, n, got)
				}
			}
		}
		workers.close()
	}
}

// A panic of any worker becomes an error of the caller, and the team ends.
func TestPanicBecomesError(t *testing.T) {
	t.Parallel()
	for _, size := range []int{1, 3} {
		err := func() (err error) {
			defer recoverError(&err)
			workers := newTeam(size)
			defer workers.close()
			workers.forEach(100, func(_, item int) {
				if item == 50 {
					panic("item 50")
				}
			})
			return nil
		}()
		if err == nil || !strings.Contains(err.Error(), "item 50") {
			t.Errorf("team of %d: got error %v, want the panic", size, err)
		}
	}
}
