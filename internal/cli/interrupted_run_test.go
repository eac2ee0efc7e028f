//go:build unix

package cli_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

// reference is the result of an index run of the sample without interruption.
var reference struct {
	once   sync.Once
	dump   string
	stages map[string]time.Duration
}

// uninterrupted returns the export of that run and how long its stages took.
func uninterrupted(t *testing.T) (string, map[string]time.Duration) {
	t.Helper()
	reference.once.Do(func() {
		p := newProgram(t, neo4jtest.Server(t))
		var result index.Result
		if err := json.Unmarshal([]byte(p.ok("index", "--offline", "--json", "--quiet", lastStave(t)).stdout), &result); err != nil {
			t.Fatal(err)
		}
		reference.stages = map[string]time.Duration{}
		for _, s := range result.Stages {
			reference.stages[s.Name] = time.Duration(s.Seconds * float64(time.Second))
		}
		reference.dump = p.dump()
	})
	if reference.dump == "" {
		t.Fatal("the run to compare with failed")
	}
	return reference.dump, reference.stages
}

// TestKilled kills runs at a random moment of a stage. The next run continues
// immediately, and creates the same graph as an uninterrupted run.
func TestKilled(t *testing.T) {
	t.Parallel()
	neo4jtest.Server(t)
	want, stages := uninterrupted(t)
	random := rand.New(rand.NewPCG(1843, 12))
	// Each moment is a random share of the stage's duration after the previous stage.
	for _, at := range []struct{ before, stage string }{
		{"", "chunk"}, {"chunk", "extract"}, {"extract", "derive"}, {"derive", "describe"}, {"derive", "cluster"}, {"cluster", "report"},
	} {
		share := random.Float64()
		t.Run(at.stage, func(t *testing.T) {
			t.Parallel()
			p, docs := newProgram(t, neo4jtest.Server(t)), lastStave(t)
			killed := false
			for wait := time.Duration(share * float64(stages[at.stage])); !killed; wait /= 4 {
				neo4jtest.Wipe(t, p.corpus)
				killed = kill(p, docs, at.before, wait)
				if !killed && wait == 0 {
					t.Fatal("the run ends before it can be killed")
				}
			}
			again := p.ok("index", "--offline", "--verbose", docs)
			if strings.Contains(again.stderr, "waiting in case it ends") {
				t.Errorf("the next run waited for a dead process:\n%s", again.stderr)
			}
			checkSameDump(t, want, p.dump())
			if idle := p.ok("index", "--offline", docs).stdout; !strings.HasPrefix(idle, "Nothing to do") {
				t.Errorf("the run after it finds work: %s", idle)
			}
		})
	}
}

// kill starts a run and kills it some time after the end of a stage. It reports
// whether the run was still alive: a warm server is faster than the one that the
// stages were measured on.
func kill(p *program, docs, stage string, wait time.Duration) bool {
	r := p.start("index", "--offline", docs)
	if stage != "" {
		r.waitFor(stageEnded(stage))
	}
	time.Sleep(wait)
	r.signal(syscall.SIGKILL)
	return r.wait().signal == syscall.SIGKILL
}

// TestInterrupted checks that a signal ends a run before its work is done, with a hint how to continue,
// and that the next run need not wait for the lease.
func TestInterrupted(t *testing.T) {
	t.Parallel()
	neo4jtest.Server(t)
	want, _ := uninterrupted(t)
	for _, at := range []struct {
		signal syscall.Signal
		after  string
	}{{syscall.SIGINT, "chunk"}, {syscall.SIGTERM, "derive"}} {
		t.Run(fmt.Sprint(at.signal), func(t *testing.T) {
			t.Parallel()
			p, docs := newProgram(t, neo4jtest.Server(t)), lastStave(t)
			r := p.start("index", "--offline", docs)
			r.waitFor(stageEnded(at.after))
			r.signal(at.signal)
			o := r.wait() // before the end of its work: it exits with 130
			if message := checkFailure(t, o, 130); !strings.Contains(message, "interrupted") || !strings.Contains(message, "continues where it stopped") {
				t.Errorf("stderr lacks what happened or how to continue:\n%s", message)
			}
			again := p.ok("index", "--offline", "--verbose", docs)
			for _, late := range []string{"waiting in case", "the run that held the corpus has ended"} {
				if strings.Contains(again.stderr, late) {
					t.Errorf("the lease was not released: %q in\n%s", late, again.stderr)
				}
			}
			checkSameDump(t, want, p.dump())
		})
	}
}

// TestSecondSignal checks that a second signal ends the program if the first one
// cannot, here because the server no longer answers.
func TestSecondSignal(t *testing.T) {
	t.Parallel()
	conn := neo4jtest.Server(t)
	relay := neo4jtest.NewRelay(t, conn)
	p := newProgram(t, conn)
	p.env["NEO4J_URI"] = relay.URI()
	r := p.start("index", "--offline", lastStave(t))
	r.waitFor(stageEnded("chunk"))
	relay.Freeze()
	ended := make(chan struct{})
	var sending sync.WaitGroup
	sending.Go(func() {
		// A signal that is sent before the one before it has arrived is lost.
		for again := time.NewTicker(100 * time.Millisecond); ; <-again.C {
			select {
			case <-ended:
				again.Stop()
				return
			default:
				r.signal(syscall.SIGINT)
			}
		}
	})
	o := r.wait()
	close(ended)
	sending.Wait()
	if o.signal != syscall.SIGINT {
		t.Errorf("exit %d, signal %v:\n%s", o.code, o.signal, o.stderr)
	}
}

// TestLeasedByAnother checks that a run waits for the holder of the lease, which may
// have been killed, and then names it.
func TestLeasedByAnother(t *testing.T) {
	t.Parallel()
	p, docs := newProgram(t, neo4jtest.Server(t)), letters(t)
	store, err := p.open()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = store.Close(context.Background()) }()
	err = store.WithWriter(t.Context(), p.corpus, "the holder of this test", 8*time.Second, func(context.Context, *neo4jstore.Writer) error {
		o := p.run("index", "--offline", docs)
		if message := checkFailure(t, o, 1); !strings.Contains(message, "the holder of this test") || !strings.Contains(message, "wait") {
			t.Errorf("stderr lacks the holder of the lease or what to do:\n%s", message)
		}
		if !strings.Contains(o.stderr, "waiting in case it ends") {
			t.Errorf("stderr does not report the waiting:\n%s", o.stderr)
		}
		if o.took < 10*time.Second || o.took > 30*time.Second {
			t.Errorf("it waited %v, want as long as the lease of a dead run may last", o.took)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	p.ok("index", "--offline", docs)
}
