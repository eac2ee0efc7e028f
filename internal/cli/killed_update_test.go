//go:build unix

package cli_test

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/testkit/fakemodel"
	"github.com/neorag/neorag/internal/testkit/faulttest"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
	"github.com/neorag/neorag/prompts"
)

// updateNovel edits the folder of the novel: a document changes, and another comes.
func updateNovel(t *testing.T, docs string) {
	t.Helper()
	for name, text := range map[string]string{
		"one.txt": novel["one.txt"] + " Clara Hale met Bruno Falk in Glasgow. Bruno Falk wrote to Agnes Moor.",
		"new.txt": "Bruno Falk met Tobias Reed in Port Ellen. Bruno Falk trusted Clara Hale.",
	} {
		if err := os.WriteFile(filepath.Join(docs, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// promptsByKey counts how often each prompt for a report was answered, for programs with
// different keys. From the call held on, calls wait until the process is dead.
type promptsByKey struct {
	mu       sync.Mutex
	answered map[string]map[string]int
	calls    map[string]int
	hold     map[string]heldCall
	answers  map[string]*cachedAnswers
}

// cachedAnswers are the questions to the chat model that were answered, and the cache of
// who asked.
type cachedAnswers struct {
	t         *testing.T
	cache     llm.Cache
	questions map[string]bool
}

type heldCall struct {
	n    int // of the update; later calls are held too
	trap *ambush
}

func newPromptsByKey() *promptsByKey {
	return &promptsByKey{answered: map[string]map[string]int{}, calls: map[string]int{}, hold: map[string]heldCall{}, answers: map[string]*cachedAnswers{}}
}

// count is an llmtest.Options.Fault that injects nothing.
func (c *promptsByKey) count(r llmtest.Request) *llmtest.Reply {
	key := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
	c.mu.Lock()
	defer c.mu.Unlock()
	c.calls[key]++
	if h, ok := c.hold[key]; ok && c.calls[key] >= h.n {
		first := c.calls[key] == h.n
		c.mu.Unlock()
		if first {
			c.awaitCache(key)
			close(h.trap.caught)
		}
		<-h.trap.dead
		c.mu.Lock()
		return nil // nobody receives it
	}
	if a := c.answers[key]; a != nil && !r.Embeds() {
		a.questions[string(r.Body)] = true
	}
	if fakemodel.Task(r) == prompts.Report {
		if c.answered[key] == nil {
			c.answered[key] = map[string]int{}
		}
		c.answered[key][r.Last()]++
	}
	return nil
}

// awaitCache waits until what was answered is cached: only then the next run need not ask
// for it.
func (c *promptsByKey) awaitCache(key string) {
	c.mu.Lock()
	a := c.answers[key]
	questions := len(a.questions)
	c.mu.Unlock()
	var stats llm.CacheStats
	var err error
	waitUntil(a.t, func() bool {
		stats, err = a.cache.Stats(context.Background())
		return err == nil && stats.Answers >= questions
	}, func() string { return fmt.Sprintf("%d of %d answers are cached, %v", stats.Answers, questions, err) })
}

// reset forgets what was counted for a key, and holds the call n from now on, if a trap is
// given.
func (c *promptsByKey) reset(key string, n int, trap *ambush) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.calls[key], c.answered[key] = 0, nil
	delete(c.hold, key)
	if trap != nil {
		c.hold[key] = heldCall{n, trap}
	}
}

// of returns the number of calls, and how often each prompt for a report was answered.
func (c *promptsByKey) of(key string) (calls int, reports map[string]int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.calls[key], maps.Clone(c.answered[key])
}

// checkOnce checks that no report was written twice.
func (c *promptsByKey) checkOnce(t *testing.T, key string) {
	t.Helper()
	_, reports := c.of(key)
	for prompt, n := range reports {
		if n > 1 {
			t.Errorf("a prompt for a report was answered %d times: %.200s", n, prompt)
		}
	}
}

// modelUpdates returns a function that starts a program with its own key, corpus and cache,
// whose folder is indexed with a model and then edited.
func modelUpdates(t *testing.T) (c *promptsByKey, start func(t *testing.T, key string) (*program, []string)) {
	t.Helper()
	conn := neo4jtest.Server(t)
	c = newPromptsByKey()
	server := llmtest.New(llmtest.Options{Handler: fakemodel.Handler, Dimension: 384, Fault: c.count})
	t.Cleanup(server.Close)
	return c, func(t *testing.T, key string) (*program, []string) {
		t.Helper()
		p := programFor(t, conn, "model")
		p.env["NEORAG_CACHE"], p.env["NEORAG_API_KEY"] = t.TempDir(), key
		c.mu.Lock()
		c.answers[key] = &cachedAnswers{t, llm.Cache{Dir: p.env["NEORAG_CACHE"]}, map[string]bool{}}
		c.mu.Unlock()
		docs := folder(t, "novel", novel)
		args := []string{"index", docs, "--base-url", server.URL(), "--model", "simulated", "--embedding-model", "vectors", "--max-community-size", "4", "--fresh-share", "-1"}
		p.ok(args...)
		updateNovel(t, docs)
		c.reset(key, 0, nil)
		return p, args
	}
}

// TestUpdateKilledAtModelCalls kills updates that wait for an answer of the model. The next
// run creates the graph of an update that was not killed, and no report is written twice.
func TestUpdateKilledAtModelCalls(t *testing.T) {
	t.Parallel()
	c, start := modelUpdates(t)
	whole, args := start(t, "whole")
	whole.ok(args...)
	want := whole.dump()
	all, reports := c.of("whole")
	if len(reports) == 0 {
		t.Fatal("the update writes no report")
	}
	for _, n := range faulttest.Points(t, all, 2) {
		t.Run(strconv.Itoa(n), func(t *testing.T) {
			t.Parallel()
			faulttest.AtOrBefore(t, n, func(at int) bool {
				key := fmt.Sprintf("%d at %d", n, at)
				p, args := start(t, key)
				trap := newAmbush()
				c.reset(key, at, trap)
				if !trap.kill(p, args...) {
					return false
				}
				c.release(key)
				checkContinues(t, p, want, args...)
				c.checkOnce(t, key)
				return true
			})
		})
	}
}

// release ends the holding of calls.
func (c *promptsByKey) release(key string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.hold, key)
}

// TestUpdateKilledAtTransactions kills updates that have asked the server to commit a write
// transaction. The next run creates the graph of an update that was not killed.
func TestUpdateKilledAtTransactions(t *testing.T) {
	t.Parallel()
	conn := neo4jtest.Server(t)
	update := func(t *testing.T) (p *program, relay *neo4jtest.Relay, args []string) {
		t.Helper()
		p, relay = newProgram(t, conn), neo4jtest.NewRelay(t, conn)
		docs := folder(t, "novel", novel)
		args = []string{"index", docs, "--offline", "--max-community-size", "4", "--fresh-share", "-1"}
		p.ok(args...)
		updateNovel(t, docs)
		p.env["NEO4J_URI"] = relay.URI()
		return p, relay, args
	}
	whole, relay, args := update(t)
	transactions, want := completeRun(whole, relay, args...)

	for fault, name := range map[neo4jtest.Fault]string{neo4jtest.LoseAnswer: "committed", neo4jtest.CutRequest: "lost"} {
		for _, n := range faulttest.Points(t, transactions, 1) {
			t.Run(fmt.Sprintf("%d %s", n, name), func(t *testing.T) {
				t.Parallel()
				faulttest.AtOrBefore(t, n, func(at int) bool {
					p, relay, args := update(t)
					trap := newAmbush()
					relay.OnCommit(trap.atCommit(at, fault))
					if !trap.kill(p, args...) {
						return false
					}
					p.env["NEO4J_URI"] = conn.URI
					checkContinues(t, p, want, args...)
					return true
				})
			})
		}
	}
}

// completeRun runs a command to its end, and returns how many transactions the relay committed and the
// graph that they made.
func completeRun(p *program, relay *neo4jtest.Relay, args ...string) (transactions int, want string) {
	p.t.Helper()
	p.ok(args...)
	transactions = relay.Commits()
	p.env["NEO4J_URI"] = p.conn.URI
	return transactions, p.dump()
}

// TestRemovalKilledAtTransactions kills removals of a document that have asked the server to commit a
// write transaction. The same command, or a run of the folder, completes the removal, and the status
// names the command.
func TestRemovalKilledAtTransactions(t *testing.T) {
	t.Parallel()
	conn := neo4jtest.Server(t)
	args := []string{"remove", "--offline", "novel/one.txt"}
	indexed := func(t *testing.T) (p *program, relay *neo4jtest.Relay, docs string) {
		t.Helper()
		p, relay, docs = newProgram(t, conn), neo4jtest.NewRelay(t, conn), folder(t, "novel", novel)
		p.ok("index", "--offline", docs)
		p.env["NEO4J_URI"] = relay.URI()
		return p, relay, docs
	}
	whole, relay, _ := indexed(t)
	transactions, want := completeRun(whole, relay, args...)

	for fault, name := range map[neo4jtest.Fault]string{neo4jtest.LoseAnswer: "committed", neo4jtest.CutRequest: "lost"} {
		for _, n := range faulttest.Points(t, transactions, 1) {
			for _, finish := range faulttest.Sample(t, []string{"remove", "index"}, 1) {
				t.Run(fmt.Sprintf("%d %s, %s", n, name, finish), func(t *testing.T) {
					t.Parallel()
					faulttest.AtOrBefore(t, n, func(at int) bool {
						p, relay, docs := indexed(t)
						trap := newAmbush()
						relay.OnCommit(trap.atCommit(at, fault))
						if !trap.kill(p, args...) {
							return false
						}
						p.env["NEO4J_URI"] = conn.URI
						status := p.ok("status").stdout
						begun, named := strings.Contains(status, "kept out"), strings.Contains(status, "`neorag remove --corpus "+p.corpus+" -- novel/one.txt` finishes it")
						if finish == "index" && begun && named {
							p.ok("index", "--offline", docs)
						} else if begun && !named && !strings.HasPrefix(p.ok(args...).stdout, "Nothing to do") {
							t.Errorf("the status does not name the command that finishes the removal:\n%s", status)
						}
						checkContinues(t, p, want, args...)
						return true
					})
				})
			}
		}
	}
}

// checkPrintedShare checks what a run with a model prints of its communities and cost, and
// what the list of runs does.
func checkPrintedShare(t *testing.T, printed, runs string) {
	t.Helper()
	for _, want := range []string{
		`(?m)^Communities: \d+ kept, \d+ changed, \d+ new, \d+ gone; reports: \d+ kept, \d+ rewritten$`,
		`(?m)^Models: .*; about \d+\.\d % of the calls and \d+\.\d % of the tokens of a new corpus$`,
	} {
		if !regexp.MustCompile(want).MatchString(printed) {
			t.Errorf("a run does not print %s:\n%s", want, printed)
		}
	}
	if want := regexp.MustCompile(`(?m)of a new corpus +exit$(.|\n)* [\d.]+ %, [\d.]+ % +0$`); !want.MatchString(runs) {
		t.Errorf("the list of runs has no shares of a new corpus:\n%s", runs)
	}
}

// TestTwoProcessesUpdate starts two processes with the same update, each with its own cache,
// again if they wait in vain: one waits for the other, the graph is that of one update, and no report is written twice.
func TestTwoProcessesUpdate(t *testing.T) {
	t.Parallel()
	c, start := modelUpdates(t)
	whole, args := start(t, "whole")
	printed := whole.ok(args...).stdout
	want := whole.dump()
	_, reports := c.of("whole")
	checkPrintedShare(t, printed, whole.ok("status", "--runs").stdout)

	p, args := start(t, "two")
	first := p.start(args...)
	p.env["NEORAG_CACHE"] = t.TempDir()
	second := p.start(args...)
	for i, r := range []*process{first, second} {
		o := r.wait()
		for o.code == 1 && strings.Contains(o.stderr, "another process is writing") { // it waits only as long as a lease lasts
			o = p.run(args...)
		}
		if o.code != 0 {
			t.Errorf("process %d: exit %d\n%s", i+1, o.code, o.stderr)
		}
	}
	checkSameDump(t, want, p.dump())
	c.checkOnce(t, "two")
	if _, both := c.of("two"); len(both) != len(reports) {
		t.Errorf("%d reports were written, want %d", len(both), len(reports))
	}
}
