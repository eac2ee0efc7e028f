package index_test

import (
	"testing"

	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

// TestToys counts the words of chunks, keeps the numbers up to date and deletes them.
func TestToys(t *testing.T) {
	t.Parallel()
	artifactIsKept(t, "index", func(corpus string) index.Options {
		o := options(corpus)
		o.With = []string{"toys"}
		return o
	}, func(o *index.Options) { o.Without = []string{"toys"} }, func(c neo4jstore.Counts) int { return c.Toys })
}

// TestToyRepair has the doctor find a chunk without its number of words, and count it again.
func TestToyRepair(t *testing.T) {
	t.Parallel()
	store, o := open(t, nil), options(neo4jtest.Borrow(t, "index"))
	o.With = []string{"toys"}
	run(t, store, o, folder(t, town()))
	neo4jtest.Query(t, "MATCH (c:Chunk {corpus: $corpus}) WITH c ORDER BY c.key LIMIT 1 REMOVE c.words", map[string]any{"corpus": o.Corpus})
	problems, err := index.CheckGraph(t.Context(), store, o.Corpus)
	if err != nil || len(problems) != 1 || problems[0].Check != "toys" {
		t.Errorf("the doctor finds %v, %v", problems, err)
	}
}
