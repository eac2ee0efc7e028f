package index_test

import (
	"bytes"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/neorag/neorag/internal/index"
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
