package index_test

import (
	"context"
	"errors"
	"maps"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/prompts"
)

// TestRemoveDocuments takes documents out of a corpus: its evidence is that of a corpus
// that never had them, and after they are readmitted that of before.
func TestRemoveDocuments(t *testing.T) {
	t.Parallel()
	store := open(t, nil)
	files := circles(4)
	files["letters/one.txt"] = "Mary Lund met Agnes Moor. Mary Lund met Clara Reed."
	files["letters/two.txt"] = "Mary Lund met Paul Lund in the winter."
	files["rows.csv"] = "id,text\n1,Rita Lund met Paul Lund.\n2,Rita Lund met Agnes Moor.\n"
	o, other := options(corpus(t, store)), options(corpus(t, store))
	docs := folder(t, files)
	run(t, store, o, docs)
	evidence := func(corpus string) string { return dump(t, store, corpus, neo4jstore.PartEvidence) }
	all := evidence(o.Corpus)
	x, err := index.New(store, o)
	if err != nil {
		t.Fatal(err)
	}
	chosen := index.Selection{Names: []string{"docs/letters", "docs/rows.csv"}, Globs: []string{"docs/*01.txt"}}
	want := []string{"docs/circle01.txt", "docs/letters/one.txt", "docs/letters/two.txt", "docs/rows.csv#1", "docs/rows.csv#2"}
	if got, err := x.RemovableDocuments(t.Context(), chosen); err != nil || !cmp.Equal(got, index.Chosen{URIs: want}) {
		t.Fatalf("RemovableDocuments: %v, %v, want %v", got, err, want)
	}
	for _, missing := range []index.Selection{{Names: []string{"docs/letter"}}, {Globs: []string{"*.txt"}}} {
		if _, err := x.RemoveDocuments(t.Context(), missing, nil); !errors.Is(err, index.ErrNoDocument) {
			t.Errorf("%+v: %v, want ErrNoDocument", missing, err)
		}
	}
	changed := o
	changed.Resolve.MaxFragments = 1
	if y, err := index.New(store, changed); err != nil {
		t.Fatal(err)
	} else if _, err := y.RemoveDocuments(t.Context(), chosen, func(context.Context, index.Purge) error {
		t.Error("a refused removal deletes answers")
		return nil
	}); !errors.Is(err, index.ErrOtherSettings) {
		t.Errorf("other settings: %v, want ErrOtherSettings", err)
	}
	if evidence(o.Corpus) != all {
		t.Fatal("a refused removal changed the corpus")
	}
	var forgotten index.Purge
	r, err := x.RemoveDocuments(t.Context(), chosen, func(_ context.Context, f index.Purge) error {
		forgotten = f
		return nil
	})
	if !cmp.Equal(forgotten.URIs, want) || !forgotten.Words["winter"] || forgotten.Words["met"] {
		t.Errorf("to purge: %+v", forgotten)
	}
	if err != nil || r.Documents.Removed != len(want) || r.Exit != 0 {
		t.Fatalf("RemoveDocuments: %+v, %v", r, err)
	}
	rest := maps.Clone(files)
	for _, name := range []string{"circle01.txt", "letters/one.txt", "letters/two.txt", "rows.csv"} {
		delete(rest, name)
	}
	run(t, store, other, folder(t, rest))
	if diff := cmp.Diff(evidence(other.Corpus), evidence(o.Corpus)); diff != "" {
		t.Errorf("the evidence differs from that of the other documents alone:\n%s", diff)
	}
	if again := run(t, store, o, docs); again.Writes != 0 || again.Documents.Excluded != len(want) {
		t.Errorf("a run after the removal: %+v", again)
	}
	if again, err := x.RemoveDocuments(t.Context(), chosen, nil); err != nil || again.Writes != 0 || again.Exit != 0 {
		t.Errorf("removed again: %+v, %v", again, err)
	}
	if some, err := x.RemovableDocuments(t.Context(), index.Selection{Names: []string{"docs/circle01.txt", "docs/circle02.txt"}}); err != nil || !cmp.Equal(some, index.Chosen{URIs: []string{"docs/circle02.txt"}, Done: 1}) {
		t.Errorf("one of two is removed: %+v, %v", some, err)
	}
	for i, readmitted := range []index.Chosen{{URIs: want}, {URIs: []string{}, Done: len(want)}} {
		if got, err := x.Readmit(t.Context(), chosen); err != nil || !cmp.Equal(got, readmitted) {
			t.Errorf("Readmit, time %d: %v, %v, want %v", i+1, got, err, readmitted)
		}
	}
	if r := run(t, store, o, docs); r.Documents.Added != len(want) || r.Documents.Excluded != 0 {
		t.Errorf("a run after readmission: %+v", r.Documents)
	}
	if got, err := x.Readmit(t.Context(), chosen); err != nil || len(got.URIs) != 0 || got.Done != len(want) {
		t.Errorf("Readmit after they are indexed: %v, %v", got, err)
	}
	if diff := cmp.Diff(all, evidence(o.Corpus)); diff != "" {
		t.Errorf("the evidence differs from that of before:\n%s", diff)
	}
}

// TestRemovalWithoutReports removes a document of a corpus without reports: none is written,
// because a model would be paid for all of them.
func TestRemovalWithoutReports(t *testing.T) {
	t.Parallel()
	store := open(t, nil)
	server, with := model(t, llmtest.Options{}, "")
	o := with(options(modelCorpus(t)))
	o.WithoutReports = true
	docs := folder(t, town())
	run(t, store, o, docs)
	o.WithoutReports = false
	x, err := index.New(store, o)
	if err != nil {
		t.Fatal(err)
	}
	r, err := x.RemoveDocuments(t.Context(), index.Selection{Names: []string{"docs/one.txt"}}, nil)
	if err != nil || r.Documents.Removed != 1 || r.Reports.Rewritten != 0 {
		t.Errorf("the removal: %+v, %v", r, err)
	}
	if n := tasks(server)[prompts.Report]; n != 0 {
		t.Errorf("%d calls for reports", n)
	}
	if r := run(t, store, o, docs); r.Reports.Rewritten == 0 {
		t.Error("a run that may write reports writes none")
	}
}

// TestInterruptedRemoval checks that a run completes a removal that was interrupted after
// it was recorded, whatever the run is about.
func TestInterruptedRemoval(t *testing.T) {
	t.Parallel()
	store := open(t, nil)
	o := options(corpus(t, store))
	run(t, store, o, folder(t, town()), folderNamed(t, "more", map[string]string{"one.txt": "Mary Lund met Paul Lund."}))
	err := store.WithWriter(t.Context(), o.Corpus, "test", time.Minute, func(ctx context.Context, w *neo4jstore.Writer) error {
		return w.SetExclusions(ctx, neo4jstore.Exclusions{Documents: []string{"more/one.txt"}, Unfinished: []string{"more/one.txt"}})
	})
	if err != nil {
		t.Fatal(err)
	}
	if r := run(t, store, o, folderNamed(t, "other", map[string]string{"two.txt": "Rita Lund met Paul Lund."})); r.Documents.Removed != 1 || r.Documents.Added != 1 {
		t.Errorf("a run about another folder: %+v", r.Documents)
	}
	x, err := index.New(store, o)
	if err != nil {
		t.Fatal(err)
	}
	if left, err := x.RemovableDocuments(t.Context(), index.Selection{Names: []string{"more"}}); err != nil || !cmp.Equal(left, index.Chosen{URIs: []string{}, Done: 1}) {
		t.Errorf("documents that are kept out: %v, %v", left, err)
	}
}

// folderNamed is folder with a name.
func folderNamed(t *testing.T, name string, files map[string]string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), name)
	writeFiles(t, dir, files)
	return dir
}
