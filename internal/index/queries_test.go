package index_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/neo4jstore"
	"github.com/neorag/neorag/internal/neo4jtest"
)

// withQueries are the options of a corpus that has question-answer pairs.
func withQueries(corpus string) index.Options {
	o := options(corpus)
	o.Queries.With = true
	return o
}

// TestQueriesAreKept indexes with pairs, changes a document without naming them again, and
// drops them.
func TestQueriesAreKept(t *testing.T) {
	t.Parallel()
	store := open(t, nil)
	live, fresh := corpus(t, store), corpus(t, store)
	docs := folder(t, town())
	run(t, store, options(live), docs)
	plain := dump(t, store, live, "")
	run(t, store, withQueries(live), docs)
	if n := counts(t, store, live).Queries; n == 0 {
		t.Fatal("no pairs were made")
	}
	write(t, docs+"/one.txt", "Clara Hale met Tobias Reed in Glasgow in 1934. They talked about the fire at the Harbour Museum because it had burnt down.")
	run(t, store, options(live), docs) // the corpus remembers that it has pairs
	if again := run(t, store, options(live), docs); again.Writes != 0 {
		t.Errorf("a second run wrote %d times", again.Writes)
	}
	run(t, store, withQueries(fresh), docs)
	same(t, dump(t, store, fresh, "evidence"), dump(t, store, live, "evidence"))
	if problems, err := index.CheckGraph(t.Context(), store, live); err != nil || len(problems) > 0 {
		t.Errorf("the doctor finds %v, %v", problems, err)
	}
	o := options(live)
	o.Queries.Without, o.Fresh = true, true
	writeFiles(t, docs, town())
	run(t, store, o, docs)
	same(t, plain, dump(t, store, live, ""))
	if n := counts(t, store, live).Queries; n != 0 {
		t.Errorf("%d pairs are left", n)
	}
}

// TestQuerySettings changes the share that is kept and the number of neighbours: the pairs are
// those of a new corpus.
func TestQuerySettings(t *testing.T) {
	t.Parallel()
	store := open(t, nil)
	live, fresh := corpus(t, store), corpus(t, store)
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
		want.Queries = index.Queries{With: true, Count: c.Queries.Count, Alpha: c.Queries.Alpha, Neighbours: c.Queries.Neighbours, Preset: c.Queries.Preset}
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

// TestRandomEditsWithQueries makes random edits: pairs and their neighbours are those of a new
// corpus.
func TestRandomEditsWithQueries(t *testing.T) {
	t.Parallel()
	store := open(t, nil)
	for seed := range 4 {
		live, fresh := corpus(t, store), corpus(t, store)
		docs := folder(t, town())
		files := map[string]bool{"one.txt": true, "two.txt": true, "deep/three.txt": true}
		run(t, store, withQueries(live), docs)
		for i, e := range edits(4).Example(100 + seed) {
			e.apply(t, docs, files, i)
			run(t, store, options(live), docs)
			neo4jtest.Wipe(t, fresh)
			run(t, store, withQueries(fresh), docs)
			want, got := dump(t, store, fresh, "evidence"), dump(t, store, live, "evidence")
			if want != got {
				t.Errorf("seed %d, edit %d %+v:", seed, i, e)
				same(t, want, got)
			}
			if !strings.Contains(got, "SIMILAR_QUERY") {
				t.Fatal("no pair has a neighbour")
			}
			if idle := run(t, store, options(live), docs); idle.Writes != 0 {
				t.Errorf("after %+v, a second run wrote %d times", e, idle.Writes)
			}
		}
		neo4jtest.Wipe(t, live)
		neo4jtest.Wipe(t, fresh)
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
