package index_test

import (
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/stage/querygen"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/testkit/fakemodel"
	"github.com/neorag/neorag/internal/testkit/faulttest"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
	"github.com/neorag/neorag/internal/text/textproc"
	"github.com/neorag/neorag/prompts"
)

// withQueries are the options of a corpus that has question-answer pairs.
func withQueries(corpus string) index.Options {
	o := options(corpus)
	o.With = append(o.With, "queries")
	return o
}

// TestQuerySettings changes the share that is kept and the number of neighbours: the pairs are
// those of a new corpus.
func TestQuerySettings(t *testing.T) {
	t.Parallel()
	store := open(t, nil)
	live, fresh := neo4jtest.Borrow(t, "queries"), neo4jtest.Borrow(t, "queries")
	docs := folder(t, town())
	run(t, store, withQueries(live), docs)
	for _, q := range []index.Queries{{Alpha: .5}, {Neighbours: 1}, {Preset: "dialogue"}, {Count: 4, Alpha: .8}} {
		o := options(live)
		o.Queries = q
		run(t, store, o, docs)
		c, err := store.Corpus(t.Context(), live)
		if err != nil {
			t.Fatal(err)
		}
		want := options(fresh)
		want.With = []string{"queries"}
		want.Queries = index.Queries{Count: c.Queries.Count, Alpha: c.Queries.Alpha, Neighbours: c.Queries.Neighbours, Preset: c.Queries.Preset}
		neo4jtest.Wipe(t, fresh)
		run(t, store, want, docs)
		same(t, dump(t, store, fresh, "evidence"), dump(t, store, live, "evidence"))
		made, err := store.Corpus(t.Context(), fresh)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(made.Queries, c.Queries); diff != "" {
			t.Errorf("settings of pairs after %+v (-new corpus +got):\n%s", q, diff)
		}
		if again := run(t, store, options(live), docs); again.Writes != 0 {
			t.Errorf("after %+v a second run wrote %d times", q, again.Writes)
		}
	}
}

// TestQueriesByModel has a model make the pairs: one call for a chunk and one for what is
// missing. A chunk whose call fails is made by the next run; another embedding model makes
// vectors again, and no pair.
func TestQueriesByModel(t *testing.T) {
	t.Parallel()
	store := open(t, nil)
	live, fresh := neo4jtest.Borrow(t, "model queries"), neo4jtest.Borrow(t, "model queries")
	docs := folder(t, town())
	var failing atomic.Bool
	failing.Store(true)
	server, with := model(t, llmtest.Options{Handler: func(r llmtest.Request) llmtest.Reply {
		if failing.Load() && fakemodel.Task(r) == prompts.Queries && strings.Contains(fakemodel.Material(r), "Inspector") {
			return llmtest.Reply{Text: "I will not."}
		}
		return fakemodel.Handler(r)
	}}, "")
	x, err := index.New(store, with(withQueries(live)))
	if err != nil {
		t.Fatal(err)
	}
	e, err := x.Estimate(t.Context(), []string{docs}, index.Prices{"queries": {In: 1, Out: 2}})
	if err != nil {
		t.Fatal(err)
	}
	r := run(t, store, with(withQueries(live)), docs)
	n, asked := counts(t, store, live), tasks(server)
	if r.Exit != 3 || len(r.Failures) == 0 || asked[prompts.Queries] < n.Chunks || asked[prompts.QueriesMore] == 0 {
		t.Errorf("exit %d, failures %v, calls %v for %d chunks", r.Exit, r.Failures, asked, n.Chunks)
	}
	if at := slices.IndexFunc(e.Stages, func(s index.StageEstimate) bool { return s.Name == "queries" }); at < 0 || e.Stages[at].Calls < int64(n.Chunks) || e.Stages[at].Calls > int64(2*n.Chunks) || e.Stages[at].Cost == 0 {
		t.Errorf("the estimate is %+v for %d chunks", e.Stages, n.Chunks)
	}
	if e.Pairs != n.Chunks*querygen.DefaultCount {
		t.Errorf("the estimate is at most %d pairs of %d chunks", e.Pairs, n.Chunks)
	}
	failing.Store(false)
	if r := run(t, store, with(options(live)), docs); r.Exit != 0 || len(r.Failures) > 0 {
		t.Errorf("the second run: exit %d, %v", r.Exit, r.Failures)
	}
	run(t, store, with(withQueries(fresh)), docs)
	same(t, dump(t, store, fresh, "evidence"), dump(t, store, live, "evidence"))
	server.Reset()
	other, vectors := embedder(t, "other", textproc.Dimension)
	embedAgain(t, store, index.Options{Corpus: live, Embedder: vectors(), AllowRedo: true})
	if calls := tasks(server); len(calls) > 0 || other.Counts().Requests == 0 {
		t.Errorf("embedding again: calls %v, %d of the other model", calls, other.Counts().Requests)
	}
	o := with(options(live))
	o.Embedder = vectors()
	if r := run(t, store, o, docs); r.Writes != 0 || r.Calls != 0 {
		t.Errorf("after embedding again, a run wrote %d times in %d calls", r.Writes, r.Calls)
	}
}

// TestKilledQueries kills a run with pairs after each of its transactions that concern them:
// the next run ends with the graph of one that was not killed.
func TestKilledQueries(t *testing.T) {
	neo4jtest.ChangesIndexes(t)
	plain := open(t, nil)
	live, fresh := neo4jtest.Borrow(t, "queries"), neo4jtest.Borrow(t, "queries")
	docs := folder(t, town())
	run(t, plain, withQueries(fresh), docs)
	want := dump(t, plain, fresh, "evidence")
	for _, point := range faulttest.Sample(t, []string{"query settings", "settings", "queries", "neighbours"}, 1) {
		neo4jtest.Wipe(t, live)
		killAt(t, point, func(s *neo4jstore.Store) error {
			_, err := try(t, s, withQueries(live), docs)
			return err
		})
		run(t, plain, withQueries(live), docs)
		same(t, want, dump(t, plain, live, "evidence"))
	}
	o := options(live)
	o.Without = []string{"queries"}
	o.AllowRedo = true
	killAt(t, "queries dropped", func(s *neo4jstore.Store) error {
		_, err := try(t, s, o, docs)
		return err
	})
	run(t, plain, o, docs)
	if n := counts(t, plain, live).Queries; n != 0 || strings.Contains(dump(t, plain, live, ""), "queries") {
		t.Errorf("%d pairs are left", n)
	}
}

// TestLinksByIndex links pairs by the vector index of the server, as in a corpus of more pairs
// than neighbours are exact for, and logs how many of the exact neighbours it finds.
func TestLinksByIndex(t *testing.T) {
	t.Parallel()
	store := open(t, nil)
	exact, approximate := neo4jtest.Borrow(t, "queries"), neo4jtest.Borrow(t, "queries")
	docs := "../../examples/christmas-carol/stave-5.txt"
	lists := func(o index.Options) map[string][]string {
		o.WithoutReports = true
		run(t, store, o, docs)
		out := map[string][]string{}
		if err := store.QueryNodes(t.Context(), o.Corpus, func(n neo4jstore.QueryNode) {
			if n.Marked || n.Kept && len(n.Neighbours) == 0 || !n.Kept && len(n.Neighbours) > 0 {
				t.Errorf("%s: kept %v, marked %v, %d neighbours", n.Key, n.Kept, n.Marked, len(n.Neighbours))
			}
			for _, e := range n.Neighbours {
				out[graph.Local(n.Key)] = append(out[graph.Local(n.Key)], graph.Local(e.Key))
			}
		}); err != nil {
			t.Fatal(err)
		}
		return out
	}
	want := lists(withQueries(exact))
	o := withQueries(approximate)
	o.Queries.ExactPairs = 1
	got, all, found := lists(o), 0, 0
	for key, list := range want {
		for _, n := range list {
			if all++; slices.Contains(got[key], n) {
				found++
			}
		}
	}
	t.Logf("the vector index finds %d of %d neighbours", found, all)
	if found < all*8/10 {
		t.Errorf("the vector index finds %d of %d neighbours", found, all)
	}
}

func counts(t *testing.T, store *neo4jstore.Store, corpus string) neo4jstore.Counts {
	t.Helper()
	n, err := store.Counts(t.Context(), corpus)
	if err != nil {
		t.Fatal(err)
	}
	return n
}
