package index_test

import (
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

// TestWorkIsLeft checks that a run about one folder does not end as complete when it
// cannot do work that was left in another: the write of a document was interrupted.
func TestWorkIsLeft(t *testing.T) {
	t.Parallel()
	store := open(t, nil)
	o := options(corpus(t, store))
	docs := folder(t, town())
	run(t, store, o, docs)
	neo4jtest.Query(t, `MATCH (d:Document {corpus: $c})<-[:PART_OF]-(k) WITH d, k ORDER BY k.key LIMIT 1
		SET k.todo_extract = $c REMOVE d.sha256`, map[string]any{"c": o.Corpus})
	more := folderNamed(t, "more", map[string]string{"one.txt": "Mary Lund met Paul Lund."})
	for range 2 {
		r := run(t, store, o, more)
		if r.Exit != 3 || len(r.Failures) != 1 || !strings.Contains(r.Failures[0].Reason, "work is left: 1 chunks to extract; index all folders") {
			t.Errorf("exit %d, failures %+v, want the work that is left", r.Exit, r.Failures)
		}
	}
	if r := run(t, store, o, docs, more); r.Exit != 0 || r.Documents != (index.DocumentCounts{Changed: 1, Unchanged: len(town())}) {
		t.Errorf("a run about all folders: exit %d, %+v, failures %+v", r.Exit, r.Documents, r.Failures)
	}
}
