package index_test

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sync/atomic"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/cypher"
	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/testkit/fakemodel"
	"github.com/neorag/neorag/internal/testkit/faulttest"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

// relayed opens a store through a relay.
func relayed(t *testing.T, fault func(string) error) (*neo4jstore.Store, *neo4jtest.Relay) {
	t.Helper()
	return through(t, (*neo4jtest.Relay).URI, fault)
}

// through opens a store at an address of a relay.
func through(t *testing.T, address func(*neo4jtest.Relay) string, fault func(string) error) (*neo4jstore.Store, *neo4jtest.Relay) {
	t.Helper()
	conn := neo4jtest.Server(t)
	relay := neo4jtest.NewRelay(t, conn)
	conn.URI = address(relay)
	return openAt(t, conn, fault), relay
}

// nameProperties makes every property known to the server, as on one that was used before:
// it counts the removal of a property as a write only if a node of any corpus ever had it,
// so that the counts of a run would depend on other tests.
func nameProperties(t *testing.T) {
	t.Helper()
	all, err := cypher.All()
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, st := range all {
		text, err := st.Text("c")
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range regexp.MustCompile(`[a-z][a-z_0-9]*`).FindAllString(text, -1) {
			names[name] = true
		}
	}
	neo4jtest.Query(t, "UNWIND $names AS name CALL db.createProperty(name)", map[string]any{"names": slices.Sorted(maps.Keys(names))})
}

// change adds, changes and deletes a document of the town.
func change(t *testing.T, docs string) {
	t.Helper()
	write(t, filepath.Join(docs, "four.txt"), "Agnes Moor met Tobias Reed in Leith in 1940. Tobias Reed and Clara Hale wrote to Agnes Moor about the Harbour Museum.")
	write(t, filepath.Join(docs, "two.txt"), "Inspector Mary Quill came to Port Ellen in 1935. Mary Quill asked Tobias Reed about the fire. Mary Quill followed Victor Lang to London.")
	if err := os.RemoveAll(filepath.Join(docs, "deep")); err != nil {
		t.Fatal(err)
	}
}

// A disturbedRun is a first run and an update with the same fault.
type disturbedRun struct {
	fault neo4jtest.Fault
	reads bool // it happens to a read, not to a write transaction
	at    int  // number of the read or of the transaction
}

// TestDisturbedTransactions runs an index run and an update with a fault at one write
// transaction of each: the answer to its commit is lost, or its connection is closed
// before. In a cluster, the member that leads the database has changed or is not available, for a
// transaction or a read. All runs end without an error, and with the graph and the counts of
// undisturbed ones.
func TestDisturbedTransactions(t *testing.T) {
	t.Parallel()
	nameProperties(t)
	docs, changed := folder(t, town()), folder(t, town())
	change(t, changed)
	want, updated, transactions := undisturbed(t, docs, changed)
	const reads = 40 // at least, of a first run and of an update
	for name, tt := range map[string]struct {
		address func(*neo4jtest.Relay) string
		fault   []disturbedRun // at the transactions of a sample each
	}{
		"one server": {(*neo4jtest.Relay).URI, []disturbedRun{{fault: neo4jtest.LoseAnswer}, {fault: neo4jtest.CutRequest}}},
		"cluster":    {(*neo4jtest.Relay).RoutingURI, []disturbedRun{{fault: neo4jtest.NotALeader}, {fault: neo4jtest.Unavailable}, {fault: neo4jtest.Unavailable, reads: true}, {fault: neo4jtest.CutRequest, reads: true}}},
	} {
		var runs []disturbedRun
		for _, d := range tt.fault {
			points := transactions
			if d.reads {
				points = reads
			}
			for _, d.at = range faulttest.Points(t, points, 4/len(tt.fault)) {
				runs = append(runs, d)
			}
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			store, relay := through(t, tt.address, nil)
			corpus, home, injected := corpus(t, store), filepath.Join(t.TempDir(), "docs"), 0
			for _, d := range runs {
				neo4jtest.Wipe(t, corpus)
				injected += disturb(t, store, relay, d, corpus, home, docs, want) + disturb(t, store, relay, d, corpus, home, changed, updated)
			}
			// What is ready together is written together, so that a run may have a transaction less.
			if injected < len(runs)*3/4 {
				t.Errorf("%d faults in %d runs and updates", injected, len(runs))
			}
		})
	}
}

// disturb runs with a fault, and returns how many faults happened.
func disturb(t *testing.T, store *neo4jstore.Store, relay *neo4jtest.Relay, d disturbedRun, corpus, home, docs string, want ended) (injected int) {
	t.Helper()
	fault := func(n int) neo4jtest.Fault {
		if n == d.at {
			return d.fault
		}
		return neo4jtest.NoFault
	}
	relay.OnCommit(nil)
	relay.OnRead(nil)
	on, count := relay.OnCommit, relay.Commits
	if d.reads {
		on, count = relay.OnRead, relay.Reads
	}
	on(fault)
	r := runAt(t, store, options(corpus), home, docs)
	if injected = relay.Injected(); count() >= d.at && injected != 1 {
		t.Errorf("%+v: %d faults, want 1", d, injected)
	}
	if r.Exit != 0 {
		t.Errorf("%+v: exit %d", d, r.Exit)
	}
	on(nil)
	checkEnded(t, fmt.Sprintf("%+v", d), want, ended{dump: dump(t, store, corpus, ""), writes: r.Writes})
	return injected
}

// ended is what a run left.
type ended struct {
	dump    string
	writes  int64
	commits int // of write transactions
}

// runAt is run with documents that take the place of those of the run before.
func runAt(t *testing.T, store *neo4jstore.Store, o index.Options, home, docs string) index.Result {
	t.Helper()
	if err := errors.Join(os.RemoveAll(home), os.CopyFS(home, os.DirFS(docs))); err != nil {
		t.Fatal(err)
	}
	return run(t, store, o, home)
}

// undisturbed returns how a first run and an update end, and the larger number of their
// write transactions.
func undisturbed(t *testing.T, docs, changed string) (first, update ended, transactions int) {
	t.Helper()
	store, relay := relayed(t, nil)
	name, home := corpus(t, store), filepath.Join(t.TempDir(), "docs")
	runAt(t, store, options(name), home, docs) // creates the indexes
	neo4jtest.Wipe(t, name)
	var all [2]ended
	for i, d := range []string{docs, changed} {
		relay.OnCommit(nil)
		r := runAt(t, store, options(name), home, d)
		all[i] = ended{dump(t, store, name, ""), r.Writes, relay.Commits()}
	}
	return all[0], all[1], max(all[0].commits, all[1].commits)
}

// checkEnded compares how a run ended with how it should.
func checkEnded(t *testing.T, name string, want, got ended) {
	t.Helper()
	// The server may count a few properties more or less, depending on its plans.
	if off := got.writes - want.writes; max(off, -off) > want.writes/100 {
		t.Errorf("%s: %d writes, want %d", name, got.writes, want.writes)
	}
	if got.dump != want.dump {
		t.Errorf("%s:", name)
		same(t, want.dump, got.dump)
	}
}

// TestModelWithDisturbedTransactions is TestDisturbedTransactions with a model: no call is
// paid for twice. It also delays the answers to all commits.
func TestModelWithDisturbedTransactions(t *testing.T) {
	t.Parallel()
	plain := open(t, nil)
	docs := folder(t, town())
	store, relay := relayed(t, nil)
	whole := modelCorpus(t)
	_, creating := model(t, llmtest.Options{}, t.TempDir())
	run(t, store, creating(options(whole)), docs) // creates the indexes
	neo4jtest.Wipe(t, whole)
	server, with := model(t, llmtest.Options{}, t.TempDir())
	relay.OnCommit(nil)
	run(t, store, with(options(whole)), docs)
	want, asked := dump(t, store, whole, ""), paid(t, server)
	faults := map[string]func(int) neo4jtest.Fault{
		"every answer lost":    neo4jtest.LoseEverySecond,
		"every answer delayed": func(int) neo4jtest.Fault { return neo4jtest.DelayAnswer },
	}
	for _, n := range faulttest.Points(t, relay.Commits(), 3) {
		faults[fmt.Sprintf("answer %d lost", n)] = neo4jtest.LoseOne(n)
	}
	var disturbed atomic.Int64
	t.Run("runs", func(t *testing.T) {
		for name, fault := range faults {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				corpus := modelCorpus(t)
				server, with := model(t, llmtest.Options{}, t.TempDir())
				store, relay := relayed(t, nil)
				relay.OnCommit(fault)
				run(t, store, with(options(corpus)), docs)
				if relay.Injected() > 0 {
					disturbed.Add(1)
				}
				same(t, want, dump(t, plain, corpus, ""))
				if diff := gocmp.Diff(asked, paid(t, server)); diff != "" {
					t.Errorf("calls (-without +with faults):\n%s", diff)
				}
			})
		}
	})
	// What is ready together is written together, so that a run may have fewer transactions.
	if n := int(disturbed.Load()); n <= len(faults)/2 {
		t.Errorf("%d of %d runs were disturbed", n, len(faults))
	}
}

// paid returns the calls that a server answered: how many for each task, and how many
// texts it embedded, whose number in a call depends on what is ready. A call that was made
// twice is an error.
func paid(t *testing.T, server *llmtest.Server) map[string]int {
	t.Helper()
	n := maps.Clone(tasks(server))
	n[fakemodel.Embed] = 0
	seen := map[string]bool{}
	for _, r := range server.Requests() {
		n[fakemodel.Embed] += len(r.Input)
		if body := string(r.Body); seen[body] {
			t.Errorf("a call is made twice: %.300s", body)
		} else {
			seen[body] = true
		}
	}
	return n
}
