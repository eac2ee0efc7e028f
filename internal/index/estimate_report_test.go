package index_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/llm/llmtest"
)

// reportsWithin is the tolerance of the estimate of reports, as a factor.
const reportsWithin = 1.5

// TestEstimateOfReports compares the calls and tokens of reports that are estimated with those of runs:
// of a new corpus, and after a paragraph is added to a document.
func TestEstimateOfReports(t *testing.T) {
	t.Parallel()
	store := open(t, nil)
	docs := folder(t, town())
	_, with := model(t, llmtest.Options{Handler: counted(t)}, "")
	o := options(modelCorpus(t))
	o.Chunk.Size = 300
	check := func(step string) {
		t.Helper()
		e := estimate(t, with(o), docs)
		r := run(t, store, with(o), docs)
		var expected index.StageEstimate
		var made index.StageResult
		for _, s := range e.Stages {
			if s.Name == "report" {
				expected = s
			}
		}
		for _, s := range r.Stages {
			if s.Name == "report" {
				made = s
			}
		}
		t.Logf("%s: estimated %d calls, %d tokens in; real %d, %d", step, expected.Calls, expected.TokensIn, made.Calls, made.TokensIn)
		if made.Calls == 0 || !within(expected.Calls, made.Calls, reportsWithin) || !within(expected.TokensIn, made.TokensIn, reportsWithin) {
			t.Errorf("%s: estimated %+v, made %+v", step, expected, made)
		}
	}
	check("new")
	first := filepath.Join(docs, "one.txt")
	b, err := os.ReadFile(first)
	if err != nil {
		t.Fatal(err)
	}
	write(t, first, string(b)+"\n\nClara Hale met Tobias Reed in Leith. Tobias Reed thanked Clara Hale.")
	check("a paragraph more")
}
