package methods_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/query/retrieve"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

// TestTuningOfEveryMethod: every search has settings, and each of them changes a ranking.
func TestTuningOfEveryMethod(t *testing.T) {
	t.Parallel()
	store := open(t)
	corpus := neo4jtest.Borrow(t, "model artifacts")
	_, embedder := contractModel(t)
	o := contractOptions(corpus)
	o.Embedder = embedder
	dir := minutes(t)
	long := "# Lanterns of March\n\n" + strings.Repeat("The clerk wrote down who came, and when. ", 40) + "Clara Hale pays for the lanterns of the meeting in March 2026.\n"
	if err := os.WriteFile(filepath.Join(dir, "2026-03-11.md"), []byte(long), 0o600); err != nil {
		t.Fatal(err)
	}
	plain := indexed(t, store, o, dir) // which searches full text
	embedding, err := query.New(store, query.Options{Corpus: corpus, Embedder: embedder})
	if err != nil {
		t.Fatal(err)
	}
	const text = "What did Clara Hale pay for the lanterns in March 2026, at meeting 3?"
	for _, method := range offlineRetrieval() {
		names := query.TuningNames(method)
		if len(names) == 0 {
			t.Errorf("%s has no settings", method)
		}
		for _, name := range names {
			e := plain
			if name == "vectors" || name == "text" || method == "linear" { // its sentences have vectors of the model
				e = embedding
			}
			usual, err := e.Retrieve(t.Context(), query.Question{Text: text, Method: method})
			if err != nil {
				t.Fatal(err)
			}
			changes := false
			for _, value := range []float64{0, .01, 1, 50} {
				found, err := e.Retrieve(t.Context(), query.Question{Text: text, Method: method, Tuning: retrieve.Tuning{name: value}})
				if err != nil {
					t.Fatal(err)
				}
				changes = changes || !slices.Equal(found.Chunks, usual.Chunks)
			}
			// Here no name is rare enough to be a speaker's. TestLinear has what linear needs.
			unused := method == "light:low" && name == "relationship" || method == "fused" && name == "speaker" ||
				method == "linear" && (name == "least" || name == "rounds")
			if !changes && !unused {
				t.Errorf("%s: the setting %s changes nothing", method, name)
			}
		}
		if _, err := plain.Retrieve(t.Context(), query.Question{Text: text, Method: method, Tuning: retrieve.Tuning{"none": 1}}); err == nil {
			t.Errorf("%s takes a setting that it does not have", method)
		}
	}
}
