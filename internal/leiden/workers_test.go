package leiden

import (
	"strings"
	"sync/atomic"
	"testing"
)

func TestTeamDoesEachItemOnce(t *testing.T) {
	t.Parallel()
	for _, size := range []int{1, 2, 5} {
		crew := newTeam(size)
		for _, n := range []int{0, 1, 3, 1000} {
			done := make([]atomic.Int32, n)
			crew.forEach(n, func(member, item int) {
				if member < 0 || member >= size {
					t.Errorf("member %d of a team of %d", member, size)
				}
				done[item].Add(1)
			})
			for i := range done {
				if got := done[i].Load(); got != 1 {
					t.Errorf("team of %d: item %d of %d was done %d times", size, i, n, got)
				}
			}
		}
		crew.close()
	}
}

// A panic of any member becomes an error of the caller, and the team ends.
func TestPanicBecomesError(t *testing.T) {
	t.Parallel()
	for _, size := range []int{1, 3} {
		err := func() (err error) {
			defer recoverError(&err)
			crew := newTeam(size)
			defer crew.close()
			crew.forEach(100, func(_, item int) {
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
