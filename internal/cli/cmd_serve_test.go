//go:build unix

package cli_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/neorag/neorag/internal/server/runs"
	"github.com/neorag/neorag/internal/testkit/faulttest"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

// A served program is `neorag serve` on a free port.
type served struct {
	*process

	address string
}

var announced = regexp.MustCompile(`answers at (http://\S+)`)

// serve starts the program without a model and waits until it listens.
func (p *program) serve(args ...string) served {
	p.t.Helper()
	return p.serveWith(append([]string{"--offline"}, args...)...)
}

// serveWith is serve with the models that the arguments name.
func (p *program) serveWith(args ...string) served {
	p.t.Helper()
	r := p.start(append([]string{"serve", "--address", "127.0.0.1:0"}, args...)...)
	r.waitFor("Ctrl-C stops it")
	return served{r, announced.FindStringSubmatch(r.stderr.String())[1]}
}

// request sends a request in JSON, which must succeed, and decodes the response.
func (s served) request(method, path, body string, into any) {
	s.t.Helper()
	if err := s.try(method, path, body, into); err != nil {
		s.t.Fatalf("%v\n%s", err, s.stderr.String())
	}
}

func (s served) try(method, path, body string, into any) error {
	r, err := http.NewRequestWithContext(s.t.Context(), method, s.address+path, strings.NewReader(body))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	raw, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s %s: status %d: %.500s", method, path, response.StatusCode, raw)
	}
	if err != nil {
		return err
	}
	return json.Unmarshal(raw, into)
}

// run asks for a run of a corpus.
func (s served) run(corpus string) {
	s.t.Helper()
	s.request(http.MethodPost, "/api/v1/corpora/"+corpus+"/run", "{}", &runs.State{})
}

// idle waits until a corpus has nothing to do, and returns its state.
func (s served) idle(corpus string) runs.State {
	s.t.Helper()
	var state runs.State
	var err error
	ended := func() bool {
		state, err = s.state(corpus)
		return err != nil || isOver(state)
	}
	if !waitUntil(s.t, ended, func() string { return fmt.Sprintf("%+v\n%s", state, s.stderr.String()) }) || err != nil {
		s.t.Fatalf("the run does not end: %v", err)
	}
	return state
}

func (s served) state(corpus string) (runs.State, error) {
	var f struct{ Run runs.State }
	err := s.try(http.MethodGet, "/api/v1/corpora/"+corpus+"/files", "", &f)
	return f.Run, err
}

func isOver(s runs.State) bool { return s.State == runs.Idle || s.State == runs.Failed }

// end interrupts the program, which ends without an error.
func (s served) end() {
	s.t.Helper()
	s.signal(syscall.SIGTERM)
	if o := s.wait(); o.code != 0 {
		s.t.Errorf("exit %d (%v)\n%s", o.code, o.signal, o.stderr)
	}
}

// TestServe indexes a folder by a request, and asks: the graph is the same as after `neorag index`. The server ends at
// a signal.
func TestServe(t *testing.T) {
	t.Parallel()
	p, docs := newProgram(t, neo4jtest.Server(t)), folder(t, "novel", novel)
	p.ok("index", "--offline", docs)
	want := p.dump()
	neo4jtest.Wipe(t, p.corpus)
	s := p.serve("--corpus", p.corpus, "--root", p.corpus+"="+docs)
	s.run(p.corpus)
	if state := s.idle(p.corpus); state.State != runs.Idle || len(state.Failed) != 0 || len(state.Stages) == 0 {
		t.Errorf("state %+v", state)
	}
	checkSameDump(t, want, p.dump())
	var a struct {
		Answer     string
		References []struct{ Href string }
	}
	s.request(http.MethodPost, "/api/v1/ask", `{"question":"Who opened the Harbour Museum?"}`, &a)
	if a.Answer == "" || len(a.References) == 0 || !strings.HasPrefix(a.References[0].Href, "/documents/"+p.corpus+"/") {
		t.Errorf("answer %+v", a)
	}
	s.end()
	if log := s.stderr.String(); strings.Contains(log, "Harbour") || !strings.Contains(log, "path=/api/v1/ask status=200") {
		t.Errorf("log:\n%s", log)
	}
}

// TestServeUsage starts servers that may not start.
func TestServeUsage(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		env  map[string]string
		args []string
		want string
	}{
		{nil, []string{"--address", "0.0.0.0:0"}, "no token is set"},
		{map[string]string{"NEORAG_SERVE_TOKEN": "short"}, nil, "fewer than 20 characters"},
		{nil, []string{"--token", "a token of enough letters"}, "NEORAG_SERVE_TOKEN"},
		{nil, []string{"--read-only", "--watch"}, "--read-only"},
		{nil, []string{"--root", "main"}, "CORPUS=FOLDER"},
		{nil, []string{"--root", "main=/no/such/folder"}, "no such file"},
		{nil, []string{"--address", "127.0.0.1"}, "missing port"},
	} {
		code, _, errs := command(t, tt.env, append([]string{"serve", "--offline"}, tt.args...)...)
		if code != 2 || !strings.Contains(errs, tt.want) {
			t.Errorf("%v: exit %d, want 2 and %q:\n%s", tt.args, code, tt.want, errs)
		}
	}
}

// TestRunSurvivesKill kills a server while it indexes, at one of its transactions. The next server continues, and the
// graph is that of an uninterrupted run.
func TestRunSurvivesKill(t *testing.T) {
	t.Parallel()
	conn := neo4jtest.Server(t)
	docs, relay := letters(t), neo4jtest.NewRelay(t, conn)
	whole := newProgram(t, conn)
	whole.ok("index", "--offline", docs) // creates the indexes
	neo4jtest.Wipe(t, whole.corpus)
	whole.env["NEO4J_URI"] = relay.URI()
	whole.ok("index", "--offline", docs)
	whole.env["NEO4J_URI"] = conn.URI
	want, transactions := whole.dump(), relay.Commits()
	for _, n := range faulttest.Points(t, transactions, 2) {
		t.Run(strconv.Itoa(n), func(t *testing.T) {
			t.Parallel()
			faulttest.AtOrBefore(t, n, func(at int) bool {
				p, relay, trap := newProgram(t, conn), neo4jtest.NewRelay(t, conn), newAmbush()
				p.env["NEO4J_URI"] = relay.URI()
				s := p.serve("--corpus", p.corpus, "--root", p.corpus+"="+docs)
				s.run(p.corpus)
				relay.OnCommit(trap.atCommit(at, neo4jtest.CutRequest)) // which does not hold the request
				ended := make(chan struct{})
				go func() {
					for {
						state, err := s.state(p.corpus)
						if err != nil {
							return // it is dead
						}
						if isOver(state) {
							close(ended)
							return
						}
						time.Sleep(20 * time.Millisecond)
					}
				}()
				select {
				case <-trap.caught:
				case <-ended:
					close(trap.dead)
					return false
				}
				s.signal(syscall.SIGKILL)
				s.wait()
				close(trap.dead)
				p.env["NEO4J_URI"] = conn.URI
				next := p.serve("--corpus", p.corpus, "--root", p.corpus+"="+docs)
				if state := next.idle(p.corpus); state.State != runs.Idle { // the request was kept
					t.Errorf("the next run: %+v", state)
				}
				checkSameDump(t, want, p.dump())
				next.end()
				return true
			})
		})
	}
}
