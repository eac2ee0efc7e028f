package leiden

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// spins is how often an idle worker looks for work before it sleeps: about a
// hundred microseconds, longer than most gaps between phases, and much shorter
// than what waking up costs when there are thousands of phases.
const spins = 20_000

// A team is a number of goroutines that run one phase after another. The one
// that calls it is a member. A team of one has no goroutines.
type team struct {
	size    int
	phase   atomic.Uint32 // counts phases
	left    atomic.Int32  // members still at work
	work    func(member int)
	failure atomic.Pointer[failure]
	closed  bool

	lock  sync.Mutex
	begun *sync.Cond
	wait  sync.WaitGroup
}

// A failure is a panic of a member, raised again where the team was called.
type failure struct {
	value any
	stack []byte
}

// newTeam starts a team. close ends it.
func newTeam(size int) *team {
	t := &team{size: size}
	t.begun = sync.NewCond(&t.lock)
	for member := 1; member < size; member++ {
		t.wait.Go(func() { t.serve(member) })
	}
	return t
}

func (t *team) close() {
	if t.size > 1 {
		t.closed = true
		t.begin()
		t.wait.Wait()
	}
}

func (t *team) begin() {
	t.lock.Lock()
	t.phase.Add(1)
	t.lock.Unlock()
	t.begun.Broadcast()
}

func (t *team) serve(member int) {
	seen := uint32(0)
	for {
		for i := 0; t.phase.Load() == seen && i < spins; i++ {
			if i%64 == 63 {
				runtime.Gosched()
			}
		}
		t.lock.Lock()
		for t.phase.Load() == seen {
			t.begun.Wait()
		}
		t.lock.Unlock()
		seen++
		if t.closed {
			return
		}
		t.do(member)
		t.left.Add(-1)
	}
}

func (t *team) do(member int) {
	defer func() {
		if p := recover(); p != nil {
			t.failure.CompareAndSwap(nil, &failure{p, debug.Stack()})
		}
	}()
	t.work(member)
}

// run calls work once per member and waits for all.
func (t *team) run(work func(member int)) {
	t.work = work
	t.left.Store(int32(t.size - 1))
	t.begin()
	t.do(0)
	for i := 0; t.left.Load() > 0; i++ {
		if i%64 == 63 {
			runtime.Gosched()
		}
	}
	if f := t.failure.Swap(nil); f != nil {
		panic(fmt.Sprintf("%v\n%s", f.value, f.stack))
	}
}

// each calls do for every item below n, the members taking the next in turn.
func (t *team) each(n int, do func(member, item int)) {
	if t == nil || t.size <= 1 {
		for item := range n {
			do(0, item)
		}
		return
	}
	var next atomic.Int64
	t.run(func(member int) {
		for {
			item := int(next.Add(1)) - 1
			if item >= n {
				return
			}
			do(member, item)
		}
	})
}

// caught turns a panic into an error. It is deferred.
func caught(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("cluster: internal error, please report it: %v", p)
	}
}
