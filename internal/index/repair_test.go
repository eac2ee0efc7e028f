package index_test

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/testkit/faulttest"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

// damages breaks one thing each that needs a different stage.
var damages = []string{
	"MATCH (r:Relationship {corpus: $corpus}) WITH r ORDER BY r.key LIMIT 1 SET r.weight = r.weight + 1",
	"MATCH (e:Entity {corpus: $corpus})-[:IN_COMMUNITY]->() WITH e ORDER BY e.key LIMIT 1 SET e.communities = [99]",
	"MATCH (c:Chunk {corpus: $corpus}) WITH c ORDER BY c.key LIMIT 1 REMOVE c.embedding",
	"MATCH (c:Community {corpus: $corpus})-[h:HAS_REPORT]->() WITH h ORDER BY c.key LIMIT 1 DELETE h",
	"MATCH (e:Entity {corpus: $corpus})<-[m:MENTIONS]-() WITH m ORDER BY e.key LIMIT 1 DELETE m",
}

func damage(t *testing.T, corpus string, statements ...string) {
	t.Helper()
	conn := neo4jtest.Server(t)
	driver, err := neo4j.NewDriverWithContext(conn.URI, neo4j.BasicAuth(conn.User, conn.Password, ""))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = driver.Close(context.Background()) }()
	for _, statement := range statements {
		result, err := neo4j.ExecuteQuery(t.Context(), driver, statement, map[string]any{"corpus": corpus}, neo4j.EagerResultTransformer, neo4j.ExecuteQueryWithDatabase("neo4j"))
		if err != nil || !result.Summary.Counters().ContainsUpdates() {
			t.Fatalf("%s damages nothing: %v", statement, err)
		}
	}
}

func repair(t *testing.T, store *neo4jstore.Store, o index.Options) index.RepairResult {
	t.Helper()
	x, err := index.New(store, o)
	if err != nil {
		t.Fatal(err)
	}
	r, err := x.Repair(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// checkLeft checks that a repair left every problem with the advice to index, and that
// the graph is the one before after that.
func checkLeft(t *testing.T, store *neo4jstore.Store, r index.RepairResult, want, docs string, o index.Options) {
	t.Helper()
	if len(r.Found) == 0 || len(r.Left) == 0 || r.Writes == 0 {
		t.Errorf("found %d problems, left %d, wrote %d times", len(r.Found), len(r.Left), r.Writes)
	}
	for _, p := range r.Left {
		if !strings.Contains(p.Advice, "neorag index") {
			t.Errorf("%s is left with the advice %q", p.Check, p.Advice)
		}
	}
	run(t, store, o, docs)
	if left, err := index.CheckGraph(t.Context(), store, o.Corpus); err != nil || len(left) > 0 {
		t.Errorf("after the run: %+v, %v", left, err)
	}
	same(t, want, dump(t, store, o.Corpus, ""))
}

// TestRepairCallsNoModel damages a corpus that a model made: the repair marks the damage,
// and the next run makes it good.
func TestRepairCallsNoModel(t *testing.T) {
	t.Parallel()
	store := open(t, nil)
	name := modelCorpus(t)
	docs := folder(t, town())
	server, use := model(t, llmtest.Options{}, t.TempDir())
	run(t, store, use(options(name)), docs)
	want := dump(t, store, name, "")
	damage(t, name, damages...)
	calls := len(server.Requests())
	for range 2 { // the second finds what the first one marked
		r := repair(t, store, options(name))
		if n := len(server.Requests()); n != calls {
			t.Errorf("the repair made %d calls", n-calls)
		}
		if !slices.ContainsFunc(r.Left, func(p index.Problem) bool { return p.Check == "weights" }) {
			t.Errorf("left %+v, want weights among them", r.Left)
		}
	}
	checkLeft(t, store, repair(t, store, options(name)), want, docs, use(options(name)))
}

// TestRepairKeepsSettings repairs a corpus with other options than it was made with: they
// must not change it.
func TestRepairKeepsSettings(t *testing.T) {
	t.Parallel()
	store := open(t, nil)
	name := corpus(t, store)
	docs := folder(t, town())
	run(t, store, options(name), docs)
	want := dump(t, store, name, "")
	damage(t, name, damages...)
	other := options(name)
	other.Community.Leiden.MaxSize = 9
	checkLeft(t, store, repair(t, store, other), want, docs, options(name))
}

// TestRepairLooksAgain checks that a repair that waited for another run repairs nothing
// that the run has made good.
func TestRepairLooksAgain(t *testing.T) {
	t.Parallel()
	store := open(t, nil)
	o := options(corpus(t, store))
	run(t, store, o, folder(t, town()))
	damage(t, o.Corpus, "MATCH (r:Relationship {corpus: $corpus}) WITH r ORDER BY r.key LIMIT 1 SET r.weight = r.weight + 1")
	log := &signallingLog{written: make(chan struct{})}
	var r index.RepairResult
	var waiting sync.WaitGroup
	err := store.WithWriter(t.Context(), o.Corpus, "another run", time.Minute, func(context.Context, *neo4jstore.Writer) error {
		waiting.Go(func() {
			o := o
			o.Wait, o.Logger = 5*time.Minute, slog.New(slog.NewTextHandler(log, nil))
			r = repair(t, store, o)
		})
		select {
		case <-log.written: // it waits
		case <-time.After(time.Minute):
			t.Error("the repair does not wait for the lease")
		}
		damage(t, o.Corpus, "MATCH (r:Relationship {corpus: $corpus}) WITH r ORDER BY r.key LIMIT 1 SET r.weight = r.weight - 1")
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	waiting.Wait()
	if len(r.Found) != 1 || len(r.Left) > 0 || r.Writes > 0 {
		t.Errorf("got %+v, want one problem that was found, none left, and no writes", r)
	}
}

// TestRepairKilled kills a repair after some of its transactions, with NEORAG_FAULTS=all
// after each: the next one completes it.
func TestRepairKilled(t *testing.T) {
	t.Parallel()
	store := open(t, nil)
	name := corpus(t, store)
	docs := folder(t, town())
	run(t, store, options(name), docs)
	want := dump(t, store, name, "")
	kills, step := 0, 12
	if faulttest.All() {
		step = 1
	}
	for left := 0; ; left += step {
		damage(t, name, damages...)
		k := &killer{left: left}
		x, err := index.New(open(t, k.fault), options(name))
		if err != nil {
			t.Fatal(err)
		}
		_, err = x.Repair(t.Context())
		if k.left >= 0 {
			break
		}
		if err == nil {
			t.Fatalf("killed after %d: no error", left)
		}
		kills++
		if r := repair(t, store, options(name)); len(r.Left) > 0 {
			t.Fatalf("killed after %d: left %+v", left, r.Left)
		}
		same(t, want, dump(t, store, name, ""))
		if t.Failed() {
			t.Fatalf("killed after %d", left)
		}
	}
	if kills < 16/step+1 { // a repair has more than 16 transactions
		t.Errorf("only %d kills", kills)
	}
}

func TestGraphWithoutReportsIsSound(t *testing.T) {
	t.Parallel()
	store := open(t, nil)
	name := corpus(t, store)
	o := options(name)
	o.WithoutReports = true
	run(t, store, o, folder(t, town()))
	if found, err := index.CheckGraph(t.Context(), store, name); err != nil || len(found) > 0 {
		t.Errorf("CheckGraph = %+v, %v, want nothing", found, err)
	}
}
