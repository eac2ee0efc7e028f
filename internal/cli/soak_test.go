//go:build linux

package cli_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/neorag/neorag/internal/testkit/faulttest"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

// soakEnv is how long TestSoak runs, as a duration. The test has the server to itself
// then, so that it can also count the server's connections and transactions.
const soakEnv = "NEORAG_SOAK"

// soakWarmUp is the number of rounds after which nothing may grow: by then every cache
// of the process has been filled, with a model and without.
const soakWarmUp = 2

// A soakState is what a process holds between two commands.
type soakState struct {
	heap         uint64 // bytes in use after a garbage collection
	goroutines   int
	files        int   // open file descriptors, sockets among them
	bytes        int64 // of the cache
	connections  int   // of the server, without that which counts them
	transactions int
}

// counts returns the values that must not grow at all.
func (s soakState) counts() map[string]int {
	return map[string]int{
		"goroutines": s.goroutines, "open files": s.files, "bytes in the cache": int(s.bytes),
		"connections to the server": s.connections, "transactions": s.transactions,
	}
}

// TestSoak repeats a day of work within one process: index, update, ask and look, with
// a simulated model and without in turn. Memory, goroutines, files,
// connections and the graph must not grow. NEORAG_SOAK=10m repeats it that long, and
// removes the corpus after each round.
func TestSoak(t *testing.T) { // not parallel: it counts what its process holds
	neo4jtest.ChangesIndexes(t) // it removes corpora
	if os.Getenv(soakEnv) == "" {
		faulttest.Nightly(t, "repeats many runs")
	}
	limit, alone := soakLimit(t)
	p := newProgram(t, neo4jtest.Server(t))
	model := simulated(t, p, false, nil)
	offline := *p
	offline.corpus, offline.env = neo4jtest.Borrow(t, "index"), maps.Clone(p.env)
	offline.env["NEORAG_CORPUS"] = offline.corpus
	docs := folder(t, "docs", novel)
	var states []soakState
	for begin := time.Now(); len(states) < soakWarmUp+2 || time.Since(begin) < limit; {
		p.day(docs, alone, model)
		offline.day(docs, alone, []string{"--offline"})
		states = append(states, p.settled(alone, states))
		if len(states) <= soakWarmUp {
			continue
		}
		want, got := states[soakWarmUp-1].counts(), states[len(states)-1].counts()
		for _, what := range slices.Sorted(maps.Keys(want)) {
			if got[what] > want[what] {
				t.Errorf("round %d: %d %s, want at most the %d of round %d", len(states), got[what], what, want[what], soakWarmUp)
			}
		}
		if t.Failed() {
			break
		}
	}
	checkHeap(t, states)
	t.Logf("%d rounds; after round %d: %+v; after the last: %+v", len(states), soakWarmUp, states[soakWarmUp-1], states[len(states)-1])
}

// soakLimit returns how long a soak runs at least, and whether it has the server alone.
func soakLimit(t *testing.T) (time.Duration, bool) {
	t.Helper()
	text := os.Getenv(soakEnv)
	if text == "" {
		return 0, false
	}
	limit, err := time.ParseDuration(text)
	if err != nil {
		t.Fatalf("%s: %v", soakEnv, err)
	}
	return limit, true
}

// day indexes a folder, adds a document, asks and looks, and takes the document away,
// of which nothing may be left. It removes the corpus if that is asked for, because
// making the indexes again takes longer than all the rest.
func (p *program) day(docs string, remove bool, args []string) {
	p.t.Helper()
	added := filepath.Join(docs, "three.txt")
	p.work(append([]string{"index", "--quiet", "--max-community-size", "4", docs}, args...)...)
	first := p.holdings()
	if err := os.WriteFile(added, []byte("Victor Lang met Mary Quill in London in 1935. Mary Quill accused Victor Lang of the fire."), 0o600); err != nil {
		p.t.Fatal(err)
	}
	p.work(append([]string{"index", "--quiet", "--max-community-size", "4", docs}, args...)...)
	if p.holdings() == first {
		p.t.Error("a new document has changed no count of the graph")
	}
	for _, method := range []string{"local", "global", "drift", "basic"} {
		p.work(append([]string{"query", "--method", method, "Who is Mary Quill?"}, args...)...)
	}
	p.work("status")
	p.work("doctor", "--graph")
	p.work("cypher", "MATCH (n:Entity {corpus: $corpus}) RETURN count(n)")
	p.work("export", "--format", "jsonl")
	if err := os.Remove(added); err != nil {
		p.t.Fatal(err)
	}
	p.work(append([]string{"index", "--quiet", "--max-community-size", "4", docs}, args...)...)
	if got := p.holdings(); got != first {
		p.t.Errorf("after a document came and went the corpus has %s, want %s", got, first)
	}
	if !remove {
		return
	}
	p.work("remove", "--yes", "--corpus", p.corpus)
	if got := p.holdings(); got != "" {
		p.t.Errorf("after remove the corpus has %s", got)
	}
}

// work runs a command within this process. Without a garbage collection, which would
// close the connections of a store that was not closed, it leaves no file open.
func (p *program) work(args ...string) {
	p.t.Helper()
	before := openFiles(p.t)
	if code, _, stderr := command(p.t, p.env, args...); code != 0 {
		p.t.Fatalf("neorag %q: exit %d\n%s", args, code, stderr)
	}
	for wait := 0; openFiles(p.t) > before; wait++ {
		if wait == 200 {
			p.t.Fatalf("neorag %q left %d files open, and there were %d before", args, openFiles(p.t), before)
		}
		time.Sleep(25 * time.Millisecond)
	}
}

// openFiles counts the file descriptors of this process, sockets among them.
func openFiles(t *testing.T) int {
	t.Helper()
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	return len(entries)
}

// holdings counts the nodes, relationships and indexes of the corpus by kind, without
// the records of its runs.
func (p *program) holdings() string {
	p.t.Helper()
	var found []string
	for _, statement := range []string{
		"MATCH (n) WHERE (n.corpus = $corpus OR n.key STARTS WITH $corpus + '/' OR n.key = $corpus) AND NOT n:Run RETURN labels(n)[0] AS kind, count(*) AS n",
		"MATCH (a)-[r]->() WHERE a.corpus = $corpus OR a.key = $corpus RETURN type(r) AS kind, count(*) AS n",
		"SHOW INDEXES YIELD name WHERE name ENDS WITH '_' + $corpus RETURN 'index' AS kind, count(*) AS n",
	} {
		for _, row := range p.cypher(statement, map[string]any{"corpus": p.corpus}) {
			if n, _ := row["n"].(int64); n > 0 {
				found = append(found, fmt.Sprintf("%v %d", row["kind"], n))
			}
		}
	}
	slices.Sort(found)
	return strings.Join(found, ", ")
}

// settled returns what the process holds as soon as that is not more than after the
// warm-up, or after some seconds: a closed connection is gone a moment later.
func (p *program) settled(alone bool, before []soakState) soakState {
	p.t.Helper()
	for wait := 0; ; wait++ {
		s := p.state(alone)
		if wait == 100 || len(before) < soakWarmUp && wait > 5 || len(before) >= soakWarmUp && bounded(s.counts(), before[soakWarmUp-1].counts()) {
			return s
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// bounded reports whether no count is above the one before.
func bounded(now, before map[string]int) bool {
	for what, n := range now {
		if n > before[what] {
			return false
		}
	}
	return true
}

// state measures what the process holds.
func (p *program) state(alone bool) soakState {
	p.t.Helper()
	s := soakState{bytes: sizeOf(p.t, p.env["NEORAG_CACHE"])}
	if alone {
		// One of each is that which counts.
		s.connections = len(p.cypher("CALL dbms.listConnections() YIELD connectionId RETURN connectionId", nil)) - 1
		s.transactions = len(p.cypher("SHOW TRANSACTIONS YIELD transactionId", nil)) - 1
	}
	s.files, s.goroutines = openFiles(p.t), runtime.NumGoroutine()
	var m runtime.MemStats
	runtime.GC()
	runtime.GC() // what the first one found unreachable may have had finalizers
	runtime.ReadMemStats(&m)
	s.heap = m.HeapAlloc
	return s
}

// sizeOf returns the sum of the sizes of the files below a folder.
func sizeOf(t *testing.T, dir string) (sum int64) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			sum += info.Size()
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return sum
}

// heapSlack is by how much the heap may differ between rounds.
const heapSlack = 128 << 10

// checkHeap checks that the least memory of the last half of the rounds is not more
// than what the first half needed.
func checkHeap(t *testing.T, states []soakState) {
	t.Helper()
	var heap []uint64
	for _, s := range states[soakWarmUp-1:] {
		heap = append(heap, s.heap)
	}
	first, last := slices.Max(heap[:len(heap)/2]), slices.Min(heap[len(heap)/2:])
	if last > first+heapSlack {
		t.Errorf("the heap grows from %d to %d bytes: %v", first, last, heap)
	}
}
