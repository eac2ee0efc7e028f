package neo4jstore_test

import (
	"testing"

	"github.com/neorag/neorag/cypher"
	"github.com/neorag/neorag/internal/testkit/faulttest"
)

// savedReads are the saved queries that show more than the visible generation, with the
// reason. All others must not.
var savedReads = map[string]string{
	"checks/leftovers":  "it shows what ended",
	"checks/pending":    "marks of the generation being written count",
	"checks/reports":    "it shows marks, which belong to the generation being written",
	"overview/example":  "it shows any one node of each kind",
	"overview/schema":   "the numbers come from counts that the server keeps of all edges",
	"overview/settings": "it shows which generation is being written and swept",
}

// savedStatements are the saved queries with the defaults of their parameters.
func savedStatements(t *testing.T, w *generationWorld) (statements []*generationStatement) {
	t.Helper()
	queries, err := cypher.SavedQueries()
	if err != nil {
		t.Fatal(err)
	}
	defaults, err := w.store.SavedQueryDefaults(t.Context(), w.corpus, queries...)
	if err != nil {
		t.Fatal(err)
	}
	for i, q := range queries {
		text, err := cypher.Statement("saved/" + q.Name).Text(w.corpus)
		if err != nil {
			t.Fatal(err)
		}
		if !readsGenerations.MatchString(text) || len(defaults[i]) < len(q.Params) {
			continue
		}
		statements = append(statements, &generationStatement{
			generationRead: generationRead{writer: savedReads[q.Name], variants: []map[string]any{defaults[i]}}, name: q.Name, text: text,
		})
	}
	return statements
}

// TestSavedQueriesSeeOneGeneration runs the saved queries that read communities or reports
// as TestReadersSeeOneGeneration does, with the defaults of their parameters.
func TestSavedQueriesSeeOneGeneration(t *testing.T) {
	t.Parallel()
	w := newGenerationWorld(t)
	w.begin(1)
	w.flip(1)
	w.begin(2)
	w.flip(2)
	statements := savedStatements(t, w)
	if len(statements) < 20 {
		t.Fatalf("only %d queries read communities or reports", len(statements))
	}
	r := newGenerationReader(t, w, faulttest.Sample(t, statements, len(statements)/4))
	unswept := r.read(2, "")
	w.sweep(2)
	want := r.read(2, "")
	r.compare("before the sweep", want, unswept, true)
	w.begin(3)
	r.compare("while the third generation is written", want, r.read(2, ""), true)
}
