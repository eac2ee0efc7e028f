package leiden

import (
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// each calls do for every item below n, in any order, on at most workers
// goroutines, and waits for them. do also gets the number of its goroutine.
// A panic in do is returned as an error and ends the other goroutines early.
func each(workers, n int, do func(worker, item int)) error {
	workers = min(workers, n)
	var next atomic.Int64
	var failure atomic.Pointer[error]
	work := func(worker int) {
		defer func() {
			if p := recover(); p != nil {
				err := fmt.Errorf("cluster: %v\n%s", p, debug.Stack())
				failure.CompareAndSwap(nil, &err)
				next.Store(int64(n))
			}
		}()
		for {
			item := int(next.Add(1)) - 1
			if item >= n {
				return
			}
			do(worker, item)
		}
	}
	var wait sync.WaitGroup
	for w := 1; w < workers; w++ {
		wait.Go(func() { work(w) })
	}
	if workers > 0 {
		work(0)
	}
	wait.Wait()
	if err := failure.Load(); err != nil {
		return *err
	}
	return nil
}
