package leiden

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// maxSpins is how often an idle worker polls for work before it sleeps: for about a
// hundred microseconds, which is longer than most gaps between phases, and much
// shorter than the total cost of waking up when there are thousands of phases.
const maxSpins = 20_000

// A team is a fixed set of workers that run one parallel phase after another. The
// calling goroutine is worker 0; a team of one starts no goroutines.
type team struct {
	size  int
	phase atomic.Pointer[phase] // the latest; one without work ends the team

	lock    sync.Mutex
	started *sync.Cond
	running sync.WaitGroup
}

// A phase is a number of items that the workers take one after another. It ends when
// all items are done: a worker that the operating system did not schedule in time
// finds no items left, and the others do not wait for it.
type phase struct {
	work      func(worker, item int)
	items     int64
	next      atomic.Int64
	remaining atomic.Int64 // items not done
	failure   atomic.Pointer[failure]
}

// A failure is a panic of a worker. forEach raises it again in its caller.
type failure struct {
	value any
	stack []byte
}

// newTeam starts a team. The caller closes it.
func newTeam(size int) *team {
	t := &team{size: size}
	t.started = sync.NewCond(&t.lock)
	for worker := 1; worker < size; worker++ {
		t.running.Go(func() { t.serve(worker) })
	}
	return t
}

// close ends the goroutines and waits for them.
func (t *team) close() {
	if t.size > 1 {
		t.start(new(phase))
		t.running.Wait()
	}
}

func (t *team) start(p *phase) {
	t.lock.Lock()
	t.phase.Store(p)
	t.lock.Unlock()
	t.started.Broadcast()
}

// serve takes part in every phase until the team is closed.
func (t *team) serve(worker int) {
	var seen *phase
	for {
		for i := 0; t.phase.Load() == seen && i < maxSpins; i++ {
			if i%64 == 63 {
				runtime.Gosched()
			}
		}
		t.lock.Lock()
		for t.phase.Load() == seen {
			t.started.Wait()
		}
		t.lock.Unlock()
		seen = t.phase.Load()
		if seen.work == nil {
			return
		}
		seen.drain(worker)
	}
}

// drain does items until none is left.
func (p *phase) drain(worker int) {
	for {
		item := p.next.Add(1) - 1
		if item >= p.items {
			return
		}
		p.do(worker, int(item))
	}
}

func (p *phase) do(worker, item int) {
	defer func() {
		if value := recover(); value != nil {
			p.failure.CompareAndSwap(nil, &failure{value, debug.Stack()})
		}
		p.remaining.Add(-1)
	}()
	p.work(worker, item)
}

// forEach calls do for every item below n, each worker taking the next one that is
// left, and waits until all are done. A nil team has one worker.
func (t *team) forEach(n int, do func(worker, item int)) {
	if t == nil || t.size <= 1 || n <= 1 {
		for item := range n {
			do(0, item)
		}
		return
	}
	p := &phase{work: do, items: int64(n)}
	p.remaining.Store(int64(n))
	t.start(p)
	p.drain(0)
	for i := 0; p.remaining.Load() > 0; i++ {
		if i%64 == 63 {
			runtime.Gosched()
		}
	}
	if f := p.failure.Load(); f != nil {
		panic(fmt.Sprintf("%v\n%s", f.value, f.stack))
	}
}

// recoverError turns a panic into an error. It must be deferred.
func recoverError(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("cluster: internal error, please report it: %v", p)
	}
}
