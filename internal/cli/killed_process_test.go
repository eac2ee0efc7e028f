//go:build unix

package cli_test

import (
	"fmt"
	"maps"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/testkit/fakemodel"
	"github.com/neorag/neorag/internal/testkit/faulttest"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

// An ambush lets a process run until it is caught, and holds back what it asks for until
// it is dead.
type ambush struct{ caught, dead chan struct{} }

func newAmbush() *ambush { return &ambush{make(chan struct{}), make(chan struct{})} }

// hold returns when the process is dead.
func (a *ambush) hold() {
	close(a.caught)
	<-a.dead
}

// kill starts a process and kills it when it is caught. It reports false if the process
// ended before.
func (a *ambush) kill(p *program, args ...string) bool {
	p.t.Helper()
	r := p.start(args...)
	ended := make(chan outcome, 1)
	go func() { ended <- r.wait() }()
	defer close(a.dead)
	select {
	case o := <-ended:
		if o.code != 0 {
			p.t.Fatalf("exit %d\n%s", o.code, o.stderr)
		}
		return false
	case <-a.caught:
		r.signal(syscall.SIGKILL)
		return (<-ended).signal == syscall.SIGKILL
	}
}

// TestKilledAtTransactions kills processes that have asked the server to commit a write
// transaction. The server commits it, or the request is lost with the process. The next
// run creates the same graph as an uninterrupted one.
func TestKilledAtTransactions(t *testing.T) {
	t.Parallel()
	conn := neo4jtest.Server(t)
	docs, relay := letters(t), neo4jtest.NewRelay(t, conn)
	whole := newProgram(t, conn)
	env := maps.Clone(whole.env)
	whole.ok("index", "--offline", docs) // creates the indexes
	neo4jtest.Wipe(t, whole.corpus)
	whole.env["NEO4J_URI"] = relay.URI()
	whole.ok("index", "--offline", docs)
	want := whole.dump()
	transactions := relay.Commits()
	whole.env = env

	for fault, name := range map[neo4jtest.Fault]string{neo4jtest.LoseAnswer: "committed", neo4jtest.CutRequest: "lost"} {
		for _, n := range faulttest.Points(t, transactions, 1) {
			t.Run(fmt.Sprintf("%d %s", n, name), func(t *testing.T) {
				t.Parallel()
				faulttest.AtOrBefore(t, n, func(at int) bool {
					p, relay, trap := newProgram(t, conn), neo4jtest.NewRelay(t, conn), newAmbush()
					relay.OnCommit(trap.atCommit(at, fault))
					p.env["NEO4J_URI"] = relay.URI()
					if !trap.kill(p, "index", "--offline", docs) {
						return false
					}
					p.env["NEO4J_URI"] = conn.URI
					checkContinues(t, p, want, "index", "--offline", docs)
					return true
				})
			})
		}
	}
}

// atCommit returns a function for Relay.OnCommit that catches the process at commit n.
func (a *ambush) atCommit(n int, fault neo4jtest.Fault) func(int) neo4jtest.Fault {
	return func(i int) neo4jtest.Fault {
		if i != n {
			return neo4jtest.NoFault
		}
		a.hold()
		return fault
	}
}

// TestKilledAtModelCalls kills processes that wait for an answer of the model. The next
// run creates the same graph as an uninterrupted one, and makes only the calls again that
// were not answered.
func TestKilledAtModelCalls(t *testing.T) {
	t.Parallel()
	conn := neo4jtest.Server(t)
	docs := folder(t, "novel", novel)
	calls := &callsByKey{counts: map[string]int{}, hooks: map[string]func(int){}}
	// One server for all, since the corpus of each names it.
	server := llmtest.New(llmtest.Options{Handler: fakemodel.Handler, Dimension: 384, Fault: calls.count})
	t.Cleanup(server.Close)
	args := []string{"index", docs, "--base-url", server.URL(), "--model", "simulated", "--embedding-model", "vectors"}
	start := func(t *testing.T, key string) *program {
		t.Helper()
		p := programFor(t, conn, "model")
		p.env["NEORAG_CACHE"], p.env["NEORAG_API_KEY"] = t.TempDir(), key
		return p
	}
	whole := start(t, "whole")
	whole.ok(args...)
	want, all := whole.dump(), calls.of("whole")

	for _, n := range faulttest.Points(t, all, 2) {
		t.Run(strconv.Itoa(n), func(t *testing.T) {
			t.Parallel()
			faulttest.AtOrBefore(t, n, func(at int) bool {
				key, trap := fmt.Sprintf("%d at %d", n, at), newAmbush()
				calls.onCall(key, func(i int) {
					if i == at {
						trap.hold()
					}
				})
				p := start(t, key)
				if !trap.kill(p, args...) {
					return false
				}
				before := calls.of(key)
				checkContinues(t, p, want, args...)
				// The killed run had at most as many calls in flight as run at a time.
				if again := calls.of(key) - before; again > all-at+16 {
					t.Errorf("killed at call %d of %d, the next run made %d", at, all, again)
				}
				return true
			})
		})
	}
}

// callsByKey counts the calls that programs with different keys make to one server.
type callsByKey struct {
	mu     sync.Mutex
	counts map[string]int
	hooks  map[string]func(n int)
}

// onCall has a function called with the number of each call with a key.
func (c *callsByKey) onCall(key string, hook func(n int)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.hooks[key] = hook
}

// of returns the number of calls with a key.
func (c *callsByKey) of(key string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.counts[key]
}

// count is an llmtest.Options.Fault that injects nothing.
func (c *callsByKey) count(r llmtest.Request) *llmtest.Reply {
	key := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
	c.mu.Lock()
	c.counts[key]++
	n, hook := c.counts[key], c.hooks[key]
	c.mu.Unlock()
	if hook != nil {
		hook(n)
	}
	return nil
}

// checkContinues runs a command whose process was killed: it does not wait, creates the
// graph want, and leaves nothing to do.
func checkContinues(t *testing.T, p *program, want string, args ...string) {
	t.Helper()
	if again := p.ok(args...); strings.Contains(again.stderr, "waiting in case it ends") {
		t.Errorf("the next run waited for a dead process:\n%s", again.stderr)
	}
	checkSameDump(t, want, p.dump())
	if idle := p.ok(args...).stdout; !strings.HasPrefix(idle, "Nothing to do") {
		t.Errorf("the run after it finds work: %s", idle)
	}
}
