package index_test

import (
	"bytes"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

// A signallingLog closes written at the first write.
type signallingLog struct {
	once    sync.Once
	written chan struct{}
	text    bytes.Buffer
}

func (s *signallingLog) Write(p []byte) (int, error) {
	s.text.Write(p)
	s.once.Do(func() { close(s.written) })
	return len(p), nil
}

// TestSecondRunSeesTheFirst starts a run that finds its work before another one writes.
// It must look again after waiting for the lease, instead of repeating the work.
func TestSecondRunSeesTheFirst(t *testing.T) {
	t.Parallel()
	plain := open(t, nil)
	name, docs := corpus(t, plain), folder(t, town())
	log := &signallingLog{written: make(chan struct{})}
	var second index.Result
	var failed error
	var waiting sync.WaitGroup
	started := false
	first := open(t, func(string) error {
		if started {
			return nil
		}
		started = true
		waiting.Go(func() {
			o := options(name)
			o.Wait, o.Logger = 5*time.Minute, slog.New(slog.NewTextHandler(log, nil))
			second, failed = try(t, plain, o, docs)
		})
		select {
		case <-log.written: // it waits
		case <-time.After(time.Minute):
			t.Error("the second run does not wait for the lease")
		}
		return nil
	})
	if r := run(t, first, options(name), docs); r.Writes == 0 {
		t.Fatal("the first run wrote nothing")
	}
	waiting.Wait()
	if failed != nil {
		t.Fatal(failed)
	}
	if d := second.Documents; second.Writes != 0 || d.Unchanged != 3 || d.Added != 0 {
		t.Errorf("the second run: %d writes, %+v; want none, and 3 unchanged\n%s", second.Writes, d, log.text.String())
	}
}

// TestRunBetweenPlanAndLease completes an offline run while a run with a model, which has
// found the corpus new, reads the time at which it reads files. The second run must look again
// when it has the lease: it refuses to replace the results, and replaces them with AllowRedo.
func TestRunBetweenPlanAndLease(t *testing.T) {
	neo4jtest.ChangesIndexes(t)
	store := open(t, nil)
	docs := folder(t, town())
	name, whole := modelCorpus(t), modelCorpus(t)
	_, with := model(t, llmtest.Options{}, "")
	between := func(o index.Options) (index.Options, *atomic.Bool) {
		var calls atomic.Int64
		var fired atomic.Bool
		o.Clock = func() time.Time {
			if calls.Add(1) == 2 { // the first one is the start
				r, err := try(t, store, options(name), docs)
				if err != nil || r.Writes == 0 {
					t.Errorf("the run between: %+v, %v", r, err)
				}
				fired.Store(true)
			}
			return time.Now()
		}
		return o, &fired
	}
	o, fired := between(with(options(name)))
	r, err := try(t, store, o, docs)
	if c, cerr := store.Corpus(t.Context(), name); !fired.Load() || !errors.Is(err, index.ErrOtherMode) || cerr != nil || c.Mode != "offline" {
		t.Errorf("without AllowRedo: %+v, %v; want ErrOtherMode after a run between (%v), and the mode %q, %v to be offline", r, err, fired.Load(), c.Mode, cerr)
	}

	neo4jtest.Wipe(t, name)
	o, fired = between(with(options(name)))
	o.AllowRedo = true
	if r := run(t, store, o, docs); r.Calls == 0 || !fired.Load() {
		t.Errorf("with AllowRedo: %+v, want calls after a run between (%v)", r, fired.Load())
	}
	run(t, store, with(options(whole)), docs)
	same(t, dump(t, store, whole, "evidence"), dump(t, store, name, "evidence"))
}

// TestStalledRun stalls a change of the embedder before it changes the indexes, while
// another run takes over the lease and completes its work. The stalled one ends with
// ErrLeaseLost and changes nothing.
func TestStalledRun(t *testing.T) {
	neo4jtest.ChangesIndexes(t)
	plain := open(t, nil)
	name, docs := corpus(t, plain), folder(t, town())
	run(t, plain, options(name), docs)
	want := dump(t, plain, name, "")
	_, vectors := embedder(t, "other", 96)
	taken := false
	stalled := open(t, func(point string) error {
		if point != "settings" || taken {
			return nil
		}
		taken = true
		err := plain.WithWriter(t.Context(), name, "another", 0, nil)
		leased, ok := errors.AsType[*neo4jstore.LeasedError](err)
		if !ok {
			t.Errorf("the stalled run holds no lease: %v", err)
			return nil
		}
		if err := plain.EndLease(t.Context(), leased); err != nil {
			return err
		}
		o := options(name)
		o.AllowRedo = true
		run(t, plain, o, docs)
		return nil
	})
	o := options(name)
	o.Embedder, o.AllowRedo = vectors(), true
	if _, err := try(t, stalled, o, docs); !errors.Is(err, neo4jstore.ErrLeaseLost) || !taken {
		t.Errorf("the stalled run: %v, want ErrLeaseLost; taken over: %t", err, taken)
	}
	same(t, want, dump(t, plain, name, ""))
	checkIndexes(t, plain, name, "taken over")
	if r := run(t, plain, options(name), docs); r.Writes != 0 {
		t.Errorf("the next run wrote %d times", r.Writes)
	}
}
