//go:build linux

package cli_test

import (
	"fmt"
	"os"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/testkit/faulttest"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

// TestWorkersSoak indexes again and again with three workers behind a queue, one of which is killed and
// replaced every ten seconds. Each graph is the same as without a queue, and every repeated call was lost
// with its worker. NEORAG_SOAK=60m repeats it that long.
func TestWorkersSoak(t *testing.T) {
	if os.Getenv(soakEnv) == "" {
		faulttest.Nightly(t, "repeats many runs")
	}
	limit, _ := soakLimit(t)
	const period, latency = 10 * time.Second, 300 * time.Millisecond
	f := newFarm(t)
	f.onCall = func(int, string) { time.Sleep(latency) }
	p, direct := f.program(neo4jtest.Server(t), "index"), modelServer(t, llmtest.Options{})
	kills, stop := f.killEvery(p, period, 3)
	calls, repeated, rounds := 0, 0, 0
	for begin := time.Now(); (rounds < 2 || time.Since(begin) < limit) && !t.Failed(); rounds++ {
		texts := notes(80)
		for name, text := range texts { // other texts than in the caches of the workers
			texts[name] = fmt.Sprintf("Clara Hale came for the %d. time. %s", rounds+1, text)
		}
		docs := folder(t, fmt.Sprint("round-", rounds), texts)
		index := func(url string) string {
			p.env["NEORAG_CACHE"] = t.TempDir()
			p.ok("index", "--quiet", "--base-url", url, "--model", "simulated", docs)
			graph := p.dump()
			neo4jtest.Wipe(t, p.corpus)
			return graph
		}
		want := index(direct.URL())
		checkSameDump(t, want, index(f.queue.URL()))
		made, again := f.forget()
		calls, repeated = calls+made, repeated+again
	}
	stop()
	if most := *kills * slots; repeated > most || *kills == 0 {
		t.Errorf("%d of %d calls were repeated after %d kills, at most %d should be", repeated, calls, *kills, most)
	}
	t.Logf("%d rounds, %d workers killed, %d of %d calls repeated", rounds, *kills, repeated, calls)
}

// killEvery starts workers, and kills and replaces one of them in turn each period, until stop.
func (f *farm) killEvery(p *program, period time.Duration, workers int) (kills *int, stop func()) {
	var running []*process
	for range workers {
		running = append(running, f.start(p, "--model", "simulated"))
	}
	kills = new(int)
	ended := make(chan struct{})
	var killing sync.WaitGroup
	killing.Go(func() {
		tick := time.NewTicker(period)
		defer tick.Stop()
		for {
			select {
			case <-ended:
				return
			case <-tick.C:
			}
			at := *kills % workers
			running[at].signal(syscall.SIGKILL)
			running[at].wait()
			running[at] = f.start(p, "--model", "simulated")
			*kills++
		}
	})
	return kills, func() {
		close(ended)
		killing.Wait()
		for _, r := range running {
			f.stop(r)
		}
	}
}

// forget returns how many calls the model server answered, and how many of them were repeated, and begins
// to count again.
func (f *farm) forget() (made, repeated int) {
	repeated = f.repeated()
	f.mu.Lock()
	defer f.mu.Unlock()
	made, f.made = f.made, 0
	clear(f.calls)
	return made, repeated
}
