package index_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/stage/extract"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/testkit/fakemodel"
	"github.com/neorag/neorag/prompts"
)

// reportsWithin is the tolerance of the estimate of reports, as a factor.
const reportsWithin = 1.5

// TestEstimateOfReports compares the calls and tokens of reports that are estimated with the ones of a
// run, in a graph that a real model extracted: from the recorded answers that modelDensity was not
// chosen on.
func TestEstimateOfReports(t *testing.T) {
	t.Parallel()
	units := recordedUnits(t)
	files, answers := map[string]string{}, map[string]string{}
	for i, u := range units[len(units)/2:] {
		files[fmt.Sprintf("unit-%02d.txt", i)] = u.Text
		answers[squeeze(u.Text)] = u.tuples()
	}
	other := counted(t)
	_, with := model(t, llmtest.Options{Handler: func(r llmtest.Request) llmtest.Reply {
		if fakemodel.Task(r) != prompts.Extract {
			return other(r)
		}
		return llmtest.Reply{Text: answers[squeeze(fakemodel.Material(r))]}
	}}, "")
	o := with(index.Options{Corpus: modelCorpus(t)})
	o.Chunk.Size = 1300
	o.Model.Gleanings, o.Model.Claims, o.Model.Format = -1, extract.ClaimsNone, extract.FormatTuples
	checkReports(t, open(t, nil), o, folder(t, files))
}

// TestEstimateOfChangedReports compares them after a paragraph is added to a document.
func TestEstimateOfChangedReports(t *testing.T) {
	t.Parallel()
	store := open(t, nil)
	docs := folder(t, town())
	_, with := model(t, llmtest.Options{Handler: counted(t)}, "")
	o := with(options(modelCorpus(t)))
	o.Chunk.Size = 300
	run(t, store, o, docs)
	first := filepath.Join(docs, "one.txt")
	b, err := os.ReadFile(first)
	if err != nil {
		t.Fatal(err)
	}
	write(t, first, string(b)+"\n\nClara Hale met Tobias Reed in Leith. Tobias Reed thanked Clara Hale.")
	checkReports(t, store, o, docs)
}

// checkReports compares the estimate of the reports of a run with the run.
func checkReports(t *testing.T, store *neo4jstore.Store, o index.Options, docs string) {
	t.Helper()
	e := estimate(t, o, docs)
	r := run(t, store, o, docs)
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
	t.Logf("estimated %d calls, %d tokens in; real %d, %d", expected.Calls, expected.TokensIn, made.Calls, made.TokensIn)
	if made.Calls == 0 || !within(expected.Calls, made.Calls, reportsWithin) || !within(expected.TokensIn, made.TokensIn, reportsWithin) {
		t.Errorf("estimated %+v, made %+v", expected, made)
	}
}
