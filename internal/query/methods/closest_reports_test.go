package methods_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

// TestClosestReports asks for contexts of global that hold some of the reports, and all of them.
func TestClosestReports(t *testing.T) {
	t.Parallel()
	store, corpus := open(t), neo4jtest.Borrow(t, "index")
	e := indexed(t, store, index.Options{Corpus: corpus}, filepath.Join(sample, "stave-2.txt"))
	sizes, err := store.ReportSizes(t.Context(), corpus, 1)
	if err != nil {
		t.Fatal(err)
	}
	view := query.LevelViews(sizes)[0]
	if view.Reports < 3 {
		t.Fatalf("%d reports are too few", view.Reports)
	}
	q := query.Question{Text: "Who danced at the ball of Fezziwig?", Method: "global", ReduceTokens: view.Tokens / 2}
	if q.Level, err = query.ParseLevel("root"); err != nil {
		t.Fatal(err)
	}
	some, err := e.Context(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	note := fmt.Sprintf("the %d closest of %d texts (%d tokens)", len(some.Blocks), view.Reports, view.Tokens)
	if len(some.Blocks) == 0 || len(some.Blocks) >= view.Reports || !strings.Contains(some.Blocks[0].Text, "Fezziwig") || !strings.Contains(strings.Join(some.Notes, " "), note) {
		t.Errorf("%d blocks of %+v, notes %q", len(some.Blocks), view, some.Notes)
	}
	q.ReduceTokens = 4 * view.Tokens
	all, err := e.Context(t.Context(), q)
	if err != nil || len(all.Blocks) != view.Reports || len(all.Notes) > 0 {
		t.Errorf("%d blocks of %+v, notes %q, %v", len(all.Blocks), view, all.Notes, err)
	}
}
