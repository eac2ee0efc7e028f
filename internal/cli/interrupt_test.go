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
	"github.com/neorag/neorag/internal/neo4jstore"
	"github.com/neorag/neorag/internal/neo4jtest"
)

// peace is what an index run of the sample makes that nobody disturbs.
var peace struct {
	once   sync.Once
	dump   string
	stages map[string]time.Duration
}

func undisturbed(t *testing.T) (string, map[string]time.Duration) {
	t.Helper()
	peace.once.Do(func() {
		p := newProgram(t, neo4jtest.Server(t))
		var result index.Result
		if err := json.Unmarshal([]byte(p.ok("index", "--offline", "--json", "--quiet", tale(t)).stdout), &result); err != nil {
			t.Fatal(err)
		}
		peace.stages = map[string]time.Duration{}
		for _, s := range result.Stages {
			peace.stages[s.Name] = time.Duration(s.Seconds * float64(time.Second))
		}
		peace.dump = p.dump()
	})
	if peace.dump == "" {
		t.Fatal("the run to compare with failed")
	}
	return peace.dump, peace.stages
}

// TestKilled ends runs by kill -9 at a random moment of a stage. The next run
// goes on at once, and makes the graph that a run makes which was left alone.
func TestKilled(t *testing.T) {
	t.Parallel()
	neo4jtest.Server(t)
	want, stages := undisturbed(t)
	random := rand.New(rand.NewPCG(1843, 12))
	// Each moment is a part of the stage's length after the end of the one before.
	for _, at := range []struct{ before, stage string }{
		{"", "chunk"}, {"chunk", "extract"}, {"extract", "derive"}, {"describe", "embed"}, {"embed", "cluster"}, {"cluster", "report"},
	} {
		share := random.Float64()
		t.Run(at.stage, func(t *testing.T) {
			t.Parallel()
			p, docs := newProgram(t, neo4jtest.Server(t)), tale(t)
			killed := false
			for wait := time.Duration(share * float64(stages[at.stage])); !killed; wait /= 4 {
				neo4jtest.Wipe(t, p.corpus)
				killed = kill(p, docs, at.before, wait)
				if !killed && wait == 0 {
					t.Fatal("the run ends sooner than it can be killed")
				}
			}
			again := p.ok("index", "--offline", "--verbose", docs)
			if strings.Contains(again.stderr, "waiting in case it ends") {
				t.Errorf("the next run waited for a process that was gone:\n%s", again.stderr)
			}
			same(t, want, p.dump())
			if idle := p.ok("index", "--offline", docs).stdout; !strings.HasPrefix(idle, "Nothing to do") {
				t.Errorf("the run after it found work: %s", idle)
			}
		})
	}
}

// kill starts a run and kills it a while after the end of a stage. It reports
// whether the run was still there: a warm server is faster than the one that
// the stages were measured on.
func kill(p *program, docs, stage string, wait time.Duration) bool {
	r := p.start("index", "--offline", docs)
	if stage != "" {
		r.sees(stageEnded(stage))
	}
	time.Sleep(wait)
	r.signal(syscall.SIGKILL)
	return r.wait().signal == syscall.SIGKILL
}

// TestInterrupted: a signal ends a run soon, with a line that says how to go
// on, and the corpus is free for the next run.
func TestInterrupted(t *testing.T) {
	t.Parallel()
	neo4jtest.Server(t)
	want, _ := undisturbed(t)
	for _, at := range []struct {
		signal syscall.Signal
		after  string
	}{{syscall.SIGINT, "chunk"}, {syscall.SIGTERM, "derive"}} {
		t.Run(fmt.Sprint(at.signal), func(t *testing.T) {
			t.Parallel()
			p, docs := newProgram(t, neo4jtest.Server(t)), tale(t)
			limit := p.prompt()
			r := p.start("index", "--offline", docs)
			r.sees(stageEnded(at.after))
			begin := time.Now()
			r.signal(at.signal)
			o := r.wait()
			if took := time.Since(begin); took > limit {
				t.Errorf("it took %v to end, want at most %v", took, limit)
			}
			if told := refused(t, o, 130); !strings.Contains(told, "interrupted") || !strings.Contains(told, "goes on") {
				t.Errorf("stderr does not say what happened and how to go on:\n%s", told)
			}
			again := p.ok("index", "--offline", "--verbose", docs)
			for _, late := range []string{"waiting in case", "the run that held the corpus has ended"} {
				if strings.Contains(again.stderr, late) {
					t.Errorf("the lease was not given back: %q in\n%s", late, again.stderr)
				}
			}
			same(t, want, p.dump())
		})
	}
}

// TestSecondSignal: where the first signal cannot end the program soon, here
// since the server does not answer any more, the second does.
func TestSecondSignal(t *testing.T) {
	t.Parallel()
	conn := neo4jtest.Server(t)
	relay := neo4jtest.NewRelay(t, conn)
	p := newProgram(t, conn)
	limit := p.prompt()
	p.env["NEO4J_URI"] = relay.URI()
	r := p.start("index", "--offline", tale(t))
	r.sees(stageEnded("chunk"))
	relay.Freeze()
	r.signal(syscall.SIGINT)
	time.Sleep(300 * time.Millisecond)
	begin := time.Now()
	r.signal(syscall.SIGINT)
	o := r.wait()
	if took := time.Since(begin); took > limit {
		t.Errorf("it took %v to end after the second signal", took)
	}
	if o.signal != syscall.SIGINT {
		t.Errorf("exit %d, signal %v:\n%s", o.code, o.signal, o.stderr)
	}
}

// TestLeasedByAnother: a run waits for another that may have been killed, then
// names it.
func TestLeasedByAnother(t *testing.T) {
	t.Parallel()
	p, docs := newProgram(t, neo4jtest.Server(t)), letters(t)
	store, err := p.open()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = store.Close(context.Background()) }()
	err = store.WithWriter(t.Context(), p.corpus, "the holder of this test", 4*time.Second, func(context.Context, *neo4jstore.Writer) error {
		o := p.run("index", "--offline", docs)
		if told := refused(t, o, 1); !strings.Contains(told, "the holder of this test") || !strings.Contains(told, "wait") {
			t.Errorf("stderr does not say who holds the corpus, and what to do:\n%s", told)
		}
		if !strings.Contains(o.stderr, "waiting in case it ends") {
			t.Errorf("stderr does not say that it waits:\n%s", o.stderr)
		}
		if o.took < 10*time.Second || o.took > 30*time.Second {
			t.Errorf("it waited %v, want as long as a dead run's lease could last", o.took)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	p.ok("index", "--offline", docs)
}
