package leiden

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// maxSpins is how often an idle worker looks for work before it sleeps: about a
// hundred microseconds, longer than most gaps between phases, and much shorter
// than what waking up costs when there are thousands of phases.
const maxSpins = 20_000

// A team is a number of goroutines that run one phase after another. The one
// that calls it is a member. A team of one has no goroutines.
type team struct {
	size  int
	phase atomic.Pointer[phase] // the last one that began; one without work ends the team

	lock  sync.Mutex
	started *sync.Cond
	running  sync.WaitGroup
}

// A phase is items that members take one after another. It ends when all items
// are done, whoever did them: a member that the system did not let run in time
// finds none left, and nobody waits for it.
type phase struct {
	work    func(member, item int)
	items   int64
	next    atomic.Int64
	remaining    atomic.Int64 // items that are not done
	failure atomic.Pointer[failure]
}

// A failure is a panic of a member, raised again where the team was called.
type failure struct {
	value any
	stack []byte
}

// newTeam starts a team. close ends it.
func newTeam(size int) *team {
	t := &team{size: size}
	t.started = sync.NewCond(&t.lock)
	for member := 1; member < size; member++ {
		t.running.Go(func() { t.serve(member) })
	}
	return t
}

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

func (t *team) serve(member int) {
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
		seen.drain(member)
	}
}

// drain does items until there are none.
func (p *phase) drain(member int) {
	for {
		item := p.next.Add(1) - 1
		if item >= p.items {
			return
		}
		p.do(member, int(item))
	}
}

func (p *phase) do(member, item int) {
	defer func() {
		if value := recover(); value != nil {
			p.failure.CompareAndSwap(nil, &failure{value, debug.Stack()})
		}
		p.remaining.Add(-1)
	}()
	p.work(member, item)
}

// forEach calls do for every item below n, the members taking the next in turn,
// and waits until all are done.
func (t *team) forEach(n int, do func(member, item int)) {
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

// recoverError turns a panic into an error. It is deferred.
func recoverError(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("cluster: internal error, please report it: %v", p)
	}
}
