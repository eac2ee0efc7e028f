//go:build unix

package cli_test

import (
	"crypto/sha256"
	"encoding/pem"
	"fmt"
	"maps"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/testkit/faulttest"
	"github.com/neorag/neorag/internal/testkit/natstest"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

// slots are the calls that a worker of a test makes at the same time.
const slots = 4

// A farm is a queue, a model server, and the workers between them.
type farm struct {
	t     *testing.T
	queue *natstest.Server
	model *llmtest.Server

	mu      sync.Mutex
	workers map[string]*process // by the key that they send to the model server
	started int
	calls   map[[sha256.Size]byte][]string // of the model server, by their content: the keys of the workers
	made    int                            // calls
	onCall  func(n int, worker string)
}

func newFarm(t *testing.T) *farm {
	t.Helper()
	f := &farm{t: t, queue: natstest.New(t, ownKey), workers: map[string]*process{}, calls: map[[sha256.Size]byte][]string{}}
	f.model = modelServer(t, llmtest.Options{Dimension: 384, Fault: f.count})
	return f
}

// count is an llmtest.Options.Fault that injects nothing.
func (f *farm) count(r llmtest.Request) *llmtest.Reply {
	worker := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
	f.mu.Lock()
	content := sha256.Sum256(r.Body)
	f.calls[content] = append(f.calls[content], worker)
	f.made++
	n, hook := f.made, f.onCall
	f.mu.Unlock()
	if hook != nil {
		hook(n, worker)
	}
	return nil
}

// repeated returns how many calls were repeated.
func (f *farm) repeated() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.made - len(f.calls)
}

// start starts a worker with a separate cache.
func (f *farm) start(p *program, more ...string) *process {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.started++
	key := fmt.Sprint("worker ", f.started)
	worker := &program{t: f.t, env: maps.Clone(p.env)}
	worker.env["NEORAG_CACHE"], worker.env["NEORAG_API_KEY"], worker.env["NEORAG_QUEUE_TOKEN"] = f.t.TempDir(), key, ownKey
	args := []string{"work", "--queue", f.queue.URL(), "--base-url", f.model.URL(), "--ack-wait", "1s", "--concurrency", strconv.Itoa(slots)}
	if len(more) == 0 {
		more = []string{"--model", "simulated", "--embedding-model", "vectors"}
	}
	f.workers[key] = worker.start(append(args, more...)...)
	return f.workers[key]
}

// of returns the worker with a key.
func (f *farm) of(key string) *process {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.workers[key]
}

// stop ends a worker as systemd does.
func (f *farm) stop(r *process) {
	f.t.Helper()
	r.signal(syscall.SIGTERM)
	if o := r.wait(); o.code != 0 || strings.Contains(o.stderr, ownKey) || strings.Contains(o.stderr, "worker 1") {
		f.t.Errorf("a worker ended with %d:\n%s", o.code, o.stderr)
	}
}

// program returns neorag whose calls go to the queue.
func (f *farm) program(conn neo4jtest.Conn, use string) *program {
	f.t.Helper()
	p := programFor(f.t, conn, use)
	p.env["NEORAG_CACHE"], p.env["NEORAG_API_KEY"] = f.t.TempDir(), ownKey
	return p
}

var embedFingerprint = regexp.MustCompile(`"embed_fp":"\w+",`)

// TestWorkers indexes and asks with three workers behind a queue. The evidence is the same as with the model
// server itself, byte for byte, with as many calls; a worker that is terminated ends by itself.
func TestWorkers(t *testing.T) {
	t.Parallel()
	f := newFarm(t)
	p, docs := f.program(neo4jtest.Server(t), "model"), folder(t, "novel", novel)
	index := func(url string) string {
		t.Helper()
		p.ok("index", "--quiet", "--base-url", url, "--model", "simulated", "--embedding-model", "vectors", docs)
		// The fingerprint of a vector names its server.
		return embedFingerprint.ReplaceAllString(p.ok("export", "--part", "evidence").stdout, "")
	}
	want := index(f.model.URL())
	direct := f.made
	neo4jtest.Wipe(t, p.corpus)
	f.calls, f.made = map[[sha256.Size]byte][]string{}, 0

	workers := []*process{f.start(p), f.start(p), f.start(p)}
	checkSameDump(t, want, index(f.queue.URL()))
	if f.made != direct || f.repeated() != 0 {
		t.Errorf("%d calls and %d of them repeated, %d by one process", f.made, f.repeated(), direct)
	}
	if o := p.ok("query", "--base-url", f.queue.URL()+","+f.model.URL(), "--model", "simulated", "--method", "basic", question); !strings.Contains(o.stdout, "Tobias Reed") || strings.Contains(o.stderr, "embedded at") {
		t.Errorf("%s\n%s", o.stdout, o.stderr)
	}
	if idle := p.ok("index", "--base-url", f.queue.URL(), "--model", "simulated", "--embedding-model", "vectors", docs).stdout; !strings.HasPrefix(idle, "Nothing to do") {
		t.Errorf("the run after it finds work: %s", idle)
	}
	for _, w := range workers {
		f.stop(w)
	}
}

// TestWorkersKilled kills workers that make calls, stops one until others have its call, deletes the stream and
// restarts the NATS server. The graph is the same as without, and few calls are repeated.
func TestWorkersKilled(t *testing.T) {
	t.Parallel()
	f := newFarm(t)
	chapters := map[string]string{}
	for i, place := range strings.Fields("Glasgow Oban Inverness Perth Dundee Stirling Paisley Ayr") {
		chapters[fmt.Sprintf("chapter-%d.txt", i)] = "Clara Hale met Tobias Reed in " + place + ". Tobias Reed kept the books of the " + place + " Museum. Mary Quill came to " + place + " in 1934."
	}
	p, docs := f.program(neo4jtest.Server(t), "index"), folder(t, "chapters", chapters)
	index := func(url string) {
		t.Helper()
		p.ok("index", "--quiet", "--base-url", url, "--model", "simulated", docs)
	}
	index(f.model.URL())
	want, all := p.dump(), f.made
	neo4jtest.Wipe(t, p.corpus)
	p.env["NEORAG_CACHE"] = t.TempDir()
	f.calls, f.made = map[[sha256.Size]byte][]string{}, 0

	chat := []string{"--model", "simulated"}
	faults := []func(worker string){
		func(worker string) { // killed, and replaced
			f.of(worker).signal(syscall.SIGKILL)
			f.start(p, chat...)
		},
		func(string) {
			if n, err := f.queue.DeleteStreams(t.Context()); n != 1 || err != nil {
				t.Errorf("%d streams are deleted: %v", n, err)
			}
		},
		func(string) {
			if err := f.queue.Restart(false); err != nil {
				t.Error(err)
			}
		},
		func(worker string) { // stopped, until another worker makes a call
			f.of(worker).signal(syscall.SIGSTOP)
		},
	}
	var places []int
	for n := 2; n <= all-2; n += 2 {
		places = append(places, n)
	}
	places = faulttest.Sample(t, places, len(faults))
	slices.Sort(places)
	faults = slices.Repeat(faults, len(places)/len(faults)+1)
	var injected int
	var mu sync.Mutex
	stopped := map[string]bool{}
	f.onCall = func(n int, worker string) {
		mu.Lock()
		defer mu.Unlock()
		for other := range stopped {
			if other != worker {
				f.of(other).signal(syscall.SIGCONT)
				delete(stopped, other)
			}
		}
		if at := slices.Index(places, n); at >= 0 {
			faults[at](worker)
			injected++
		}
	}
	for range 3 {
		f.start(p, chat...)
	}
	index(f.queue.URL())
	checkSameDump(t, want, p.dump())
	// A fault interrupts the calls of one worker, or of all three if it hits the stream or the NATS server.
	if most := injected * 3 * slots; f.repeated() > most || injected < len(places) {
		t.Errorf("%d faults of %d: %d of %d calls were repeated, at most %d should be", injected, len(places), f.repeated(), f.made, most)
	}
	t.Logf("%d faults, %d of %d calls repeated", injected, f.repeated(), f.made)
}

// TestIndexerKilled kills processes that have asked the store to commit, while workers make their calls. The next
// run creates the same graph as an uninterrupted one, and few calls are repeated.
func TestIndexerKilled(t *testing.T) {
	t.Parallel()
	conn := neo4jtest.Server(t)
	f := newFarm(t)
	docs, relay := folder(t, "novel", novel), neo4jtest.NewRelay(t, conn)
	args := []string{"index", "--base-url", f.queue.URL(), "--model", "simulated", docs}
	whole := f.program(conn, "index")
	worker := f.start(whole, "--model", "simulated")
	whole.env["NEO4J_URI"] = relay.URI()
	whole.ok(args...)
	want, transactions := whole.dump(), relay.Commits()
	f.stop(worker)
	for _, n := range faulttest.Points(t, transactions, 1) {
		f.calls, f.made = map[[sha256.Size]byte][]string{}, 0
		kills := 0
		worker := f.start(whole, "--model", "simulated") // without what the last one has in its cache
		faulttest.AtOrBefore(t, n, func(at int) bool {
			p, relay, trap := f.program(conn, "index"), neo4jtest.NewRelay(t, conn), newAmbush()
			relay.OnCommit(trap.atCommit(at, neo4jtest.LoseAnswer))
			p.env["NEO4J_URI"] = relay.URI()
			if !trap.kill(p, args...) {
				return false
			}
			kills++
			p.env["NEO4J_URI"] = conn.URI
			checkContinues(t, p, want, args...)
			return true
		})
		if f.repeated() > kills*slots {
			t.Errorf("%d calls were repeated after %d kills at commit %d of %d", f.repeated(), kills, n, transactions)
		}
		f.stop(worker)
	}
}

// TestWorkerRefuses leaves calls waiting until a worker serves their model, which a note names, and ends runs with a
// wrong token.
func TestWorkerRefuses(t *testing.T) {
	t.Parallel()
	f := newFarm(t)
	conn := neo4jtest.Server(t)
	docs := folder(t, "novel", novel)
	p := f.program(conn, "index")
	args := []string{"index", "--base-url", f.queue.URL(), "--model", "simulated", docs}

	p.env["NEORAG_API_KEY"] = "a wrong token"
	o := p.run(args...)
	if message := checkFailure(t, o, 1); !strings.Contains(message, "rejects the token") || strings.Contains(o.stderr, "a wrong token") {
		t.Errorf("a wrong token: %s", o.stderr)
	}
	p.env["NEORAG_API_KEY"] = ownKey

	other := f.start(p, "--model", "another")
	r := p.start(args...)
	r.waitFor("no worker serves their model")
	if want := "neorag work --queue " + f.queue.URL() + " --base-url URL --model simulated"; !strings.Contains(r.stderr.String(), want) {
		t.Errorf("the note does not name %q:\n%s", want, r.stderr.String())
	}
	if f.made != 0 {
		t.Errorf("%d calls of another model", f.made)
	}
	right := f.start(p, "--model", "simulated")
	if o := r.wait(); o.code != 0 {
		t.Errorf("exit %d:\n%s", o.code, o.stderr)
	}
	f.stop(other)
	f.stop(right)
}

// TestWorkerBudget spends at most the budget, and for each slot of a worker that is killed one call more.
func TestWorkerBudget(t *testing.T) {
	t.Parallel()
	f := newFarm(t)
	p, docs := f.program(neo4jtest.Server(t), "index"), folder(t, "novel", novel)
	const price, budget = 1e3, 7.0 // of a million tokens of prompts
	for _, kills := range []int{0, 1} {
		w := f.start(p, "--model", "simulated")
		f.model.Reset()
		left := kills
		var mu sync.Mutex
		f.onCall = func(_ int, worker string) {
			mu.Lock()
			defer mu.Unlock()
			if left > 0 && f.of(worker) == w {
				left--
				w.signal(syscall.SIGKILL)
				w = f.start(p, "--model", "simulated")
			}
		}
		p.env["NEORAG_CACHE"] = t.TempDir()
		o := p.run("index", "--base-url", f.queue.URL(), "--model", "simulated", "--concurrency", "2",
			"--max-cost", fmt.Sprint(budget), "--price-in", fmt.Sprint(price), "--price-out", "1e-6", docs)
		spent, largest := 0., 0.
		for _, r := range f.model.Requests() {
			cost := price / 1e6 * float64(words(r))
			spent, largest = spent+cost, max(largest, cost)
		}
		if most := budget + float64(kills*slots)*largest; spent > most || spent == 0 || left > 0 || o.code == 0 || !strings.Contains(o.stderr, "budget") {
			t.Errorf("%d kills of %d: exit %d after %f of %f:\n%s", kills-left, kills, o.code, spent, most, o.stderr)
		}
		f.stop(w)
		neo4jtest.Wipe(t, p.corpus)
	}
}

// TestWorkersTLS indexes over a queue with TLS, whose certificate must be valid.
func TestWorkersTLS(t *testing.T) {
	t.Parallel()
	server := httptest.NewTLSServer(nil) // for its certificate
	defer server.Close()
	authority := filepath.Join(t.TempDir(), "authority.pem")
	block := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	if err := os.WriteFile(authority, block, 0o600); err != nil {
		t.Fatal(err)
	}
	f := newFarm(t)
	plain := f.queue.URL()
	f.queue = natstest.NewTLS(t, ownKey, server.TLS.Certificates[0])
	p, docs := f.program(neo4jtest.Server(t), "index"), folder(t, "novel", novel)
	index := func(queue string) []string {
		return []string{"index", "--base-url", queue, "--model", "simulated", docs}
	}
	if message := checkFailure(t, p.run(index(f.queue.URL())...), 1); !strings.Contains(message, "not trusted") {
		t.Errorf("a certificate of an unknown authority: %s", message)
	}
	p.env["SSL_CERT_FILE"] = authority
	if message := checkFailure(t, p.run(index("tls"+strings.TrimPrefix(plain, "nats"))...), 1); !strings.Contains(message, "has no TLS") {
		t.Errorf("a server without TLS: %s", message)
	}
	w := f.start(p, "--model", "simulated")
	p.ok(index(f.queue.URL())...)
	p.ok(index("nats" + strings.TrimPrefix(f.queue.URL(), "tls"))...)
	f.stop(w)
	if f.made == 0 {
		t.Error("no calls")
	}
}

// words returns the tokens of a prompt as the model server counts them.
func words(r llmtest.Request) int {
	n := 0
	for _, m := range r.Messages {
		n += len(strings.Fields(m.Content))
	}
	return n
}

// TestWorkUsage refuses what a worker cannot do.
func TestWorkUsage(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ args, want string }{
		{"--base-url http://x/v1 --model m", "give --queue"},
		{"--queue http://x:1 --base-url http://x/v1 --model m", "not one such as nats://"},
		{"--queue nats://token@x --base-url http://x/v1 --model m", "only host and port"},
		{"--queue nats://x", "give the model"},
		{"--queue nats://x --base-url http://x/v1", "give --model"},
		{"--queue nats://x --base-url nats://y --model m", "nats://y is a queue"},
		{"--queue nats://x --base-url http://x/v1 --model m --ack-wait 1ms", "at least 1s"},
	} {
		code, stdout, stderr := command(t, map[string]string{"NEORAG_CACHE": t.TempDir()}, append([]string{"work"}, strings.Fields(c.args)...)...)
		if code != 2 || stdout != "" || !strings.Contains(stderr, c.want) {
			t.Errorf("%s: exit %d\n%s", c.args, code, stderr)
		}
	}
	s := natstest.New(t, ownKey)
	code, _, stderr := command(t, map[string]string{"NEORAG_CACHE": t.TempDir(), "NEORAG_QUEUE_TOKEN": "wrong"}, "work", "--queue", s.URL(), "--base-url", "http://x/v1", "--model", "m")
	if code != 1 || !strings.Contains(stderr, "rejects the token") || strings.Contains(stderr, "wrong:") {
		t.Errorf("a wrong token: exit %d\n%s", code, stderr)
	}
}
