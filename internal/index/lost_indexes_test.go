package index_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/testkit/faulttest"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
	"github.com/neorag/neorag/internal/text/textproc"
)

// dropIndexes drops indexes of a corpus without a Writer.
func dropIndexes(t *testing.T, corpus string, names ...string) {
	t.Helper()
	for _, name := range names {
		neo4jtest.Query(t, fmt.Sprintf("DROP INDEX %s_%s IF EXISTS", name, corpus), nil)
	}
}

// turnVectors replaces the vector indexes of a corpus by indexes of another dimension, as
// an interrupted change of the embedder may leave them.
func turnVectors(t *testing.T, corpus string, dimension int) {
	t.Helper()
	for _, kind := range []string{"Chunk", "Entity", "Relationship", "Report"} {
		name := strings.ToLower(kind) + "_vector"
		dropIndexes(t, corpus, name)
		neo4jtest.Query(t, fmt.Sprintf("CREATE VECTOR INDEX %s_%s FOR (n:%s_%s) ON (n.embedding) "+
			"OPTIONS {indexConfig: {`vector.dimensions`: %d, `vector.similarity_function`: 'cosine'}}", name, corpus, kind, corpus, dimension), nil)
	}
}

// checkIndexes checks that the indexes of a corpus are those that it needs, and online.
func checkIndexes(t *testing.T, store *neo4jstore.Store, corpus, when string) {
	t.Helper()
	check, err := store.Check(t.Context(), corpus)
	if err != nil {
		t.Fatal(err)
	}
	if len(check.Missing)+len(check.Different) > 0 {
		t.Errorf("%s: indexes %v are missing, %v are different", when, check.Missing, check.Different)
	}
	c, err := store.Corpus(t.Context(), corpus)
	if err != nil {
		t.Fatal(err)
	}
	want := 9
	if strings.HasPrefix(c.Embedder, "hashed-") {
		want = 7 // entities and relationships have no vectors
	}
	if len(check.Corpora) != 1 || len(check.Corpora[0].Indexes) != want {
		t.Errorf("%s: indexes %+v, want %d", when, check.Corpora, want)
		return
	}
	for _, x := range check.Corpora[0].Indexes {
		if x.State != "ONLINE" {
			t.Errorf("%s: %s is %s", when, x.Name, x.State)
		}
	}
}

// TestLostIndexes drops indexes of a corpus, or gives its vector indexes another
// dimension. The next index run, and embed, with and without again, make them again,
// although no document changed, and change nothing else.
func TestLostIndexes(t *testing.T) {
	neo4jtest.ChangesIndexes(t)
	store := open(t, nil)
	name, docs := corpus(t, store), folder(t, town())
	run(t, store, options(name), docs)
	before := dump(t, store, name, "")
	embed := func(again bool) func() (index.Result, error) {
		return func() (index.Result, error) {
			x, err := index.New(store, options(name))
			if err != nil {
				t.Fatal(err)
			}
			return x.Embed(t.Context(), again)
		}
	}
	indexed := func() (index.Result, error) { return try(t, store, options(name), docs) }
	lose := func() { dropIndexes(t, name, "lead", "chunk_vector") }
	turn := func() { turnVectors(t, name, 8) }
	for _, tt := range faulttest.Sample(t, []struct {
		when   string
		damage func()
		mend   func() (index.Result, error)
	}{
		{"lost, index", lose, indexed},
		{"another dimension, index", turn, indexed},
		{"lost, embed", lose, embed(false)},
		{"another dimension, embed again", turn, embed(true)},
	}, 2) {
		tt.damage()
		if r, err := tt.mend(); err != nil || r.Writes == 0 {
			t.Errorf("%s: %d writes, %v", tt.when, r.Writes, err)
		}
		checkIndexes(t, store, name, tt.when)
		same(t, before, dump(t, store, name, ""))
		if n := nearest(t, store, name); n == 0 {
			t.Errorf("%s: the vector index finds no chunk", tt.when)
		}
	}
	if r := run(t, store, options(name), docs); r.Writes != 0 {
		t.Errorf("a run without work wrote %d times", r.Writes)
	}
}

// nearest returns how many chunks the vector index finds.
func nearest(t *testing.T, store *neo4jstore.Store, corpus string) int {
	t.Helper()
	hits, err := store.SearchVector(t.Context(), corpus, graph.KindChunk, textproc.Vector("Clara Hale"), 3)
	if err != nil {
		t.Error(err)
	}
	return len(hits)
}

// TestCorpusNamedKey indexes and searches a corpus whose name, appended to that of an
// index, is the name of a constraint that all corpora share.
func TestCorpusNamedKey(t *testing.T) {
	faulttest.Nightly(t, "creates and drops indexes")
	neo4jtest.ChangesIndexes(t)
	store := open(t, nil)
	const name = "key"
	t.Cleanup(func() {
		if _, err := index.Remove(context.Background(), store, name); err != nil {
			t.Error(err)
		}
		checkShared(t, store)
	})
	docs := folder(t, town())
	if r := run(t, store, options(name), docs); r.Writes == 0 {
		t.Error("nothing was written")
	}
	checkIndexes(t, store, name, "key")
	found, err := store.Search(t.Context(), name, neo4jstore.SearchQuery{Terms: "museum", Pairs: "harbour_museum", Limit: 5})
	if err != nil || len(found.Passages) == 0 || len(found.Documents) == 0 {
		t.Errorf("search: %+v, %v", found, err)
	}
	checkShared(t, store)
}

// checkShared checks the constraints and indexes that all corpora share.
func checkShared(t *testing.T, store *neo4jstore.Store) {
	t.Helper()
	rows := neo4jtest.Query(t, "SHOW CONSTRAINTS YIELD name WHERE name IN ['passage_key', 'document_key'] RETURN name", nil)
	if len(rows) != 2 {
		t.Errorf("constraints %v, want those of passages and documents", rows)
	}
}
