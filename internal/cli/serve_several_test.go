//go:build unix

package cli_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/neorag/neorag/internal/cli"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/server/runs"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/testkit/fakemodel"
	"github.com/neorag/neorag/internal/testkit/faulttest"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

// A gate holds calls of a model while it is closed.
type gate struct{ closed atomic.Pointer[chan struct{}] }

// close closes the gate, and returns what opens it again.
func (g *gate) close() (open func()) {
	c := make(chan struct{})
	g.closed.Store(&c)
	return func() {
		g.closed.Store(nil)
		close(c)
	}
}

func (g *gate) pass(llmtest.Request) *llmtest.Reply {
	if c := g.closed.Load(); c != nil {
		<-*c
	}
	return nil
}

// TestProgressElsewhere requests runs by a server that leaves them to another process, which waits for its model:
// the server and `neorag status` show stage, counts and holder, three requests during the run cause one more, and
// the server cancels a run of the other process, and one of a command.
func TestProgressElsewhere(t *testing.T) {
	t.Parallel()
	p, docs, model := programFor(t, neo4jtest.Server(t), "model"), letters(t), &gate{}
	simulated := llmtest.New(llmtest.Options{Handler: fakemodel.Handler, Dimension: 384, Fault: model.pass})
	t.Cleanup(simulated.Close)
	open := model.close()
	t.Cleanup(func() { open() })
	root := p.corpus + "=" + docs
	runner := p.start("index", "--requested", "--watch", "--root", root, "--base-url", simulated.URL(), "--model", "simulated", "--embedding-model", "vectors")
	asking := p.serve("--corpus", p.corpus, "--runs=false", "--root", root)

	asking.run(p.corpus)
	shown := asking.running(p.corpus)
	if holder := fmt.Sprintf("process %d on ", runner.cmd.Process.Pid); !strings.HasPrefix(shown.Holder, holder) || strings.Contains(shown.Holder, "[") || shown.Stages[0].Total == 0 {
		t.Errorf("state %+v, want a run of %s", shown, holder)
	}
	var status cli.Status
	if err := json.Unmarshal([]byte(p.ok("status", "--json").stdout), &status); err != nil || status.Running == nil || !status.Requested {
		t.Fatalf("status %+v, %v, want a run under way", status, err)
	}
	if r := status.Running; r.Stage == "" || r.Total == 0 || r.Holder != shown.Holder {
		t.Errorf("status of the run %+v, want what the server shows: %+v", r, shown)
	}
	if text := p.ok("status").stdout; !strings.Contains(text, "running        "+shown.Stages[0].Stage+" ") || !strings.Contains(text, shown.Holder) {
		t.Errorf("status:\n%s", text)
	}
	for range 3 {
		asking.run(p.corpus)
	}
	open()
	if state := asking.idle(p.corpus); state.State != runs.Idle || len(runsOf(runner.stderr.String())) != 2 {
		t.Errorf("%+v after\n%s\nwant two runs", state, runner.stderr.String())
	}

	open = model.close()
	if err := os.WriteFile(filepath.Join(docs, "third.txt"), []byte("Ada Finch sold the Harbour Museum to Victor Lang.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	asking.run(p.corpus)
	asking.running(p.corpus)
	asking.request(http.MethodPost, "/api/v1/corpora/"+p.corpus+"/run/cancel", "{}", &runs.State{})
	if state := asking.idle(p.corpus); state.State != runs.Idle {
		t.Errorf("after the cancellation: %+v", state)
	}
	runner.waitFor(neo4jstore.ErrCancelled.Error())
	alone := p.start("index", docs, "--base-url", simulated.URL(), "--model", "simulated", "--embedding-model", "vectors")
	if s := asking.running(p.corpus); !strings.HasPrefix(s.Holder, fmt.Sprintf("process %d on ", alone.cmd.Process.Pid)) {
		t.Errorf("state %+v, want a run of another command", s)
	}
	asking.request(http.MethodPost, "/api/v1/corpora/"+p.corpus+"/run/cancel", "{}", &runs.State{})
	if o := alone.wait(); o.code != 1 || !strings.Contains(o.stderr, neo4jstore.ErrCancelled.Error()) || !strings.Contains(o.stderr, "run the same command again") {
		t.Errorf("exit %d\n%s", o.code, o.stderr)
	}
	asking.end()
	runner.signal(syscall.SIGTERM)
	if o := runner.wait(); o.code != 0 {
		t.Errorf("exit %d (%v)\n%s", o.code, o.signal, o.stderr)
	}
}

// running waits until a corpus is indexed by another process that has told its progress.
func (s served) running(corpus string) runs.State {
	s.t.Helper()
	var state runs.State
	var err error
	told := func() bool {
		state, err = s.state(corpus)
		return err != nil || state.Holder != "" && len(state.Stages) > 0
	}
	if !waitUntil(s.t, told, func() string { return fmt.Sprintf("%+v", state) }) || err != nil {
		s.t.Fatalf("no progress of a run: %v", err)
	}
	return state
}

// A logged run is what the log of a process has of a run.
type logged struct {
	corpus     string
	begin, end time.Time // end is zero while it is under way
}

var runLine = regexp.MustCompile(`time=(\S+) level=INFO msg="run (begins|ended)" corpus=(\S+)`)

// runsOf returns the runs of a log.
func runsOf(log string) (all []logged) {
	for _, m := range runLine.FindAllStringSubmatch(log, -1) {
		at, _ := time.Parse(time.RFC3339, m[1]) // of the program
		if m[2] == "begins" {
			all = append(all, logged{corpus: m[3], begin: at})
			continue
		}
		i := slices.IndexFunc(all, func(r logged) bool { return r.corpus == m[3] && r.end.IsZero() })
		all[i].end = at
	}
	return all
}

// TestRequestedRun requests ten runs of two corpora by three processes, two of which are killed at a transaction of a run.
// The others complete what they leave, and no two ever run the same corpus.
func TestRequestedRun(t *testing.T) {
	t.Parallel()
	conn := neo4jtest.Server(t)
	programs := []*program{newProgram(t, conn), newProgram(t, conn)}
	args := []string{"--corpus", programs[0].corpus}
	var folders []string
	for _, p := range programs {
		folders = append(folders, letters(t))
		args = append(args, "--root", p.corpus+"="+folders[len(folders)-1])
	}
	var all []logged
	asked := 0
	ask := func(s served, times int) {
		for range times {
			text := fmt.Sprintf("Clara Hale wrote letter %d to Tobias Reed in Glasgow.\n", asked)
			if err := os.WriteFile(filepath.Join(folders[asked%2], fmt.Sprintf("letter-%d.txt", asked)), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			s.run(programs[asked%2].corpus)
			asked++
		}
	}
	asking := programs[0].serve(append(args, "--runs=false")...)
	for i, n := range faulttest.Points(t, 12, 2) {
		relay, trap := neo4jtest.NewRelay(t, conn), newAmbush()
		p := programOn(t, conn, programs[0].corpus)
		p.env["NEO4J_URI"] = relay.URI()
		s := p.serve(args...)
		ask(s, 2)
		relay.OnCommit(trap.atCommit(n, neo4jtest.CutRequest)) // which does not hold a request
		ask(asking, 2)
		select {
		case <-trap.caught:
		case <-time.After(2 * time.Minute):
			t.Fatalf("process %d is not at transaction %d:\n%s", i, n, s.stderr.String())
		}
		killed := time.Now().Truncate(time.Millisecond)
		s.signal(syscall.SIGKILL)
		for _, r := range runsOf(s.wait().stderr) {
			if r.end.IsZero() {
				r.end = killed
			}
			all = append(all, r)
		}
		close(trap.dead)
	}
	last := []served{programs[0].serve(args...), programs[1].serve(args...)}
	for _, s := range last {
		ask(s, 1)
	}
	for i, p := range programs {
		if state := last[i].idle(p.corpus); state.State != runs.Idle {
			t.Errorf("%s: %+v", p.corpus, state)
		}
		checkNoRequest(t, p)
		if o := p.ok("index", "--offline", folders[i]); !strings.HasPrefix(o.stdout, "Nothing to do") {
			t.Errorf("the requested runs left work:\n%s", o.stdout)
		}
	}
	for _, s := range append(last, asking) {
		s.end()
		all = append(all, runsOf(s.stderr.String())...)
	}
	checkOneHolder(t, all, len(programs))
}

func checkNoRequest(t *testing.T, p *program) {
	t.Helper()
	store, err := p.open()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = store.Close(context.WithoutCancel(t.Context())) }()
	if l, err := store.Lease(t.Context(), p.corpus); err != nil || l != (neo4jstore.Lease{}) {
		t.Errorf("lease of %s: %+v, %v, want no holder and no request", p.corpus, l, err)
	}
}

// checkOneHolder checks how many corpora have runs, and that runs of the same corpus do not overlap.
func checkOneHolder(t *testing.T, all []logged, corpora int) {
	t.Helper()
	slices.SortFunc(all, func(a, b logged) int { return a.begin.Compare(b.begin) })
	ends := map[string]time.Time{}
	for _, r := range all {
		if r.begin.Before(ends[r.corpus]) || r.end.IsZero() {
			t.Errorf("a run of %s begins at %v and ends at %v, the one before at %v", r.corpus, r.begin, r.end, ends[r.corpus])
		}
		ends[r.corpus] = r.end
	}
	if len(ends) != corpora {
		t.Errorf("runs of %d corpora, want %d", len(ends), corpora)
	}
}
