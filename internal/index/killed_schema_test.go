package index_test

import (
	"errors"
	"testing"

	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/testkit/faulttest"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

// killAt calls work with a store that is killed after the first transaction of that name.
func killAt(t *testing.T, point string, work func(*neo4jstore.Store) error) {
	t.Helper()
	killed := false
	err := work(open(t, func(at string) error {
		if killed = killed || at == point; killed {
			return errKilled
		}
		return nil
	}))
	if !errors.Is(err, errKilled) {
		t.Fatalf("killed after %q: got %v", point, err)
	}
}

// A killedRun is a run that is killed after the first transaction of a name, the options of a run
// before it that is not killed, if any, and of the next run, with the part of the dump after it.
type killedRun struct {
	point        string
	before       *index.Options
	killed, then index.Options
	want, part   string
}

// checkKilledRuns kills one of the runs, or with all faults each of them, in an empty corpus. The
// run after the next one, with the given options, writes nothing.
func checkKilledRuns(t *testing.T, docs string, idle index.Options, runs []killedRun) {
	t.Helper()
	plain := open(t, nil)
	for _, k := range faulttest.Sample(t, runs, 1) {
		neo4jtest.Wipe(t, idle.Corpus)
		if k.before != nil {
			run(t, plain, *k.before, docs)
		}
		killAt(t, k.point, func(s *neo4jstore.Store) error {
			_, err := try(t, s, k.killed, docs)
			return err
		})
		run(t, plain, k.then, docs)
		same(t, k.want, dump(t, plain, idle.Corpus, k.part))
		if again := run(t, plain, idle, docs); again.Writes != 0 {
			t.Errorf("killed after %s: a third run wrote %d times", k.point, again.Writes)
		}
	}
}

// TestKilledCreationAndRemoval kills the creation and the removal of a corpus at the
// transactions that change the corpus, its settings and its indexes. The next index run
// makes the graph of an undisturbed one; the next removal leaves nothing.
func TestKilledCreationAndRemoval(t *testing.T) {
	neo4jtest.ChangesIndexes(t)
	store := open(t, nil)
	name, docs := neo4jtest.BorrowAs(t, "none", "index"), folder(t, town())
	run(t, store, options(name), docs)
	want := dump(t, store, name, "")
	indexed := func(store *neo4jstore.Store) error {
		_, err := try(t, store, options(name), docs)
		return err
	}
	removed := func(store *neo4jstore.Store) error {
		_, err := index.Remove(t.Context(), store, name)
		return err
	}
	completed := func(when string) {
		t.Helper()
		if err := indexed(store); err != nil {
			t.Errorf("%s: the next run: %v", when, err)
		}
		same(t, want, dump(t, store, name, ""))
		checkIndexes(t, store, name, when)
		if r := run(t, store, options(name), docs); r.Writes != 0 {
			t.Errorf("%s: the run after the next wrote %d times", when, r.Writes)
		}
	}
	for _, step := range faulttest.Sample(t, []struct{ what, point string }{
		{"removal", "dropped nodes"},
		{"removal", "indexes dropped"},
		{"removal", "removing"},
		{"removal", "dropped corpus"},
		{"creation", "corpus"},
		{"creation", "indexes created"},
		{"creation", "settings"},
		{"removal twice", "indexes dropped"},
		{"removal twice", "dropped nodes"},
		{"removal twice", "removing"},
		{"removal twice", "dropped corpus"},
	}, 2) {
		when := step.what + " killed after " + step.point
		switch step.what {
		case "removal":
			killAt(t, step.point, removed)
		case "creation":
			if err := removed(store); err != nil {
				t.Fatal(err)
			}
			killAt(t, step.point, indexed)
		case "removal twice":
			killAt(t, step.point, removed)
			if err := removed(store); err != nil {
				t.Errorf("%s: the next one: %v", when, err)
			}
			checkRemoved(t, name, when)
		}
		completed(when)
	}
}

// checkRemoved checks that nothing is left of a corpus.
func checkRemoved(t *testing.T, corpus, when string) {
	t.Helper()
	for what, rest := range map[string]string{
		"nodes":   "MATCH (n) WHERE n.corpus = $corpus OR n.key = $corpus RETURN n.key",
		"indexes": "SHOW INDEXES YIELD name WHERE name ENDS WITH '_' + $corpus RETURN name",
	} {
		if n := len(neo4jtest.Query(t, rest, map[string]any{"corpus": corpus})); n > 0 {
			t.Errorf("%s: the next one left %d %s", when, n, what)
		}
	}
}

// TestKilledChangeOfDimension kills the change of a corpus to an embedder of another
// dimension, by an index run and by embed. The next run completes it; if the next run has
// the embedder of before, it restores the corpus.
func TestKilledChangeOfDimension(t *testing.T) {
	neo4jtest.ChangesIndexes(t)
	store := open(t, nil)
	name, whole := neo4jtest.Borrow(t, "index"), neo4jtest.Borrow(t, "96")
	docs := folder(t, town())
	_, vectors := embedder(t, "other", 96)
	other := func(name string) index.Options {
		o := options(name)
		o.Embedder = vectors()
		return o
	}
	changes := map[string]func(*neo4jstore.Store, index.Options) error{
		"embed": func(store *neo4jstore.Store, o index.Options) error {
			o.AllowRedo = true
			x, err := index.New(store, o)
			if err != nil {
				t.Fatal(err)
			}
			_, err = x.Embed(t.Context(), true)
			return err
		},
		"index": func(store *neo4jstore.Store, o index.Options) error {
			o.AllowRedo = true
			_, err := try(t, store, o, docs)
			return err
		},
	}
	run(t, store, options(name), docs)
	run(t, store, other(whole), docs)
	before, after := dump(t, store, name, ""), dump(t, store, whole, "")

	for _, place := range faulttest.Sample(t, []struct {
		how, point string
		back       bool
	}{
		{"embed", "settings", true},
		{"index", "indexes dropped", true},
		{"embed", "indexes created", true},
		{"index", "mark embed", false},
		{"index", "settings", true},
		{"embed", "indexes dropped", true},
		{"index", "indexes created", true},
		{"embed", "mark embed", true},
		{"index", "mark embed", true},
		{"embed", "settings", false},
		{"index", "settings", false},
		{"embed", "indexes dropped", false},
		{"index", "indexes dropped", false},
		{"embed", "indexes created", false},
		{"index", "indexes created", false},
		{"embed", "mark embed", false},
	}, 2) {
		change := changes[place.how]
		killAt(t, place.point, func(store *neo4jstore.Store) error { return change(store, other(name)) })
		o, want := other(name), after
		if place.back {
			o, want = options(name), before
		}
		if err := change(store, o); err != nil {
			t.Fatalf("%+v: the next one: %v", place, err)
		}
		same(t, want, dump(t, store, name, ""))
		checkIndexes(t, store, name, place.how+" killed after "+place.point)
		if place.back {
			if n := nearest(t, store, name); n != 3 {
				t.Errorf("%+v: the vector index finds %d chunks", place, n)
			}
		} else if err := change(store, options(name)); err != nil {
			t.Fatal(err)
		}
		if t.Failed() {
			return
		}
	}
	same(t, before, dump(t, store, name, ""))
}

// TestKilledUpgrade kills the upgrade of a corpus of an older schema version, of which one
// index has another form and one is missing.
func TestKilledUpgrade(t *testing.T) {
	neo4jtest.ChangesIndexes(t)
	store := open(t, nil)
	name, docs := corpus(t, store), folder(t, town())
	run(t, store, options(name), docs)
	want := dump(t, store, name, "")
	for _, point := range faulttest.Sample(t, []string{"indexes dropped", "indexes created", "schema version"}, 2) {
		dropIndexes(t, name, "lead", "passage")
		neo4jtest.Query(t, "CREATE FULLTEXT INDEX passage_"+name+" FOR (n:Passage_"+name+") ON EACH [n.words] OPTIONS {indexConfig: {`fulltext.analyzer`: 'standard'}}", nil)
		neo4jtest.Query(t, "MATCH (k:Corpus {key: $c}) SET k.schema = 0", map[string]any{"c": name})
		killAt(t, point, func(store *neo4jstore.Store) error {
			_, err := try(t, store, options(name), docs)
			return err
		})
		run(t, store, options(name), docs)
		same(t, want, dump(t, store, name, ""))
		checkIndexes(t, store, name, "upgrade killed after "+point)
		if c, err := store.Corpus(t.Context(), name); err != nil || c.Schema != neo4jstore.SchemaVersion {
			t.Errorf("killed after %s: schema %d, %v", point, c.Schema, err)
		}
	}
}
