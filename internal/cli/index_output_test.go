package cli

import (
	"bytes"
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

// TestIndexSaysWhatReportsLost: a run prints how many findings and references it left out of a
// model's reports, and nothing if there are none.
func TestIndexSaysWhatReportsLost(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reports index.ReportCounts
		want    string
	}{
		{index.ReportCounts{DroppedFindings: 2, DroppedReferences: 3}, "Left out of the model's reports: 2 findings without room, 3 references that are invalid, or beyond five in one citation\n"},
		{index.ReportCounts{DroppedReferences: 1}, "Left out of the model's reports: 0 findings without room, 1 references that are invalid, or beyond five in one citation\n"},
		{index.ReportCounts{}, ""},
	} {
		var out bytes.Buffer
		printDone(&environment{Env: Env{Stdout: &out}}, index.Result{Reports: tc.reports})
		if got := out.String(); got != tc.want && !strings.HasSuffix(got, "\n"+tc.want) {
			t.Errorf("%+v: got %q, want %q", tc.reports, got, tc.want)
		}
	}
}

// TestRunWithoutCounts checks that a run which is complete does not fail when the counts
// of the corpus cannot be read after it.
func TestRunWithoutCounts(t *testing.T) {
	t.Parallel()
	conn := neo4jtest.Server(t)
	store, err := neo4jstore.Open(t.Context(), neo4jstore.Config{URI: conn.URI, Username: conn.User, Password: conn.Password})
	if err != nil {
		t.Fatal(err)
	}
	if err := store.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	env := &environment{Env: Env{Stdout: &out, Stderr: &errs, Getenv: func(string) string { return "" }}}
	r := index.Result{Corpus: "letters", Writes: 7, Documents: index.DocumentCounts{Added: 2}}
	if err := printIndex(t.Context(), env, store, r); err != nil {
		t.Errorf("got %v, want a note", err)
	}
	if got := out.String(); !strings.Contains(got, "2 added") {
		t.Errorf("the output is %q, want what the run did", got)
	}
	if got := errs.String(); !strings.Contains(got, "The run is complete, but the counts of the corpus cannot be read: ") {
		t.Errorf("the messages are %q, want the reason", got)
	}
}
