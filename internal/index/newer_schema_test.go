package index_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

// TestNewerSchema checks that a run on a corpus that a newer version made changes neither
// its indexes nor anything else, even if some indexes are missing.
func TestNewerSchema(t *testing.T) {
	neo4jtest.ChangesIndexes(t)
	store := open(t, nil)
	name, docs := neo4jtest.Corpus(t), folder(t, town())
	run(t, store, options(name), docs)
	dropIndexes(t, name, "lead")
	neo4jtest.Query(t, "MATCH (k:Corpus {key: $c}) SET k.schema = 99", map[string]any{"c": name})
	state := func() []map[string]any {
		return append(
			neo4jtest.Query(t, "SHOW INDEXES YIELD name, id WHERE name ENDS WITH '_' + $c RETURN name, id ORDER BY name", map[string]any{"c": name}),
			neo4jtest.Query(t, "MATCH (n {corpus: $c}) RETURN labels(n)[0] AS kind, count(*) AS n ORDER BY kind", map[string]any{"c": name})...)
	}
	before := state()
	write(t, docs+"/four.txt", "Agnes Moor met Tobias Reed in Leith in 1940.")
	if r, err := try(t, store, options(name), docs); err == nil || !strings.Contains(err.Error(), "update neorag") {
		t.Errorf("got %+v, %v, want the advice to update", r, err)
	}
	if diff := cmp.Diff(before, state()); diff != "" {
		t.Errorf("the run changed the corpus (-before +after):\n%s", diff)
	}
}
