package index_test

import (
	"maps"
	"net/http"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/testkit/fakemodel"
	"github.com/neorag/neorag/prompts"
)

// Reports without a model are named after headings. They get other titles when a heading changes, also
// where the text below it stays, or the title of the document does, and no title keeps a word that
// was removed.
func TestHeadingOfReportChanges(t *testing.T) {
	t.Parallel()
	const text = "\n\nClara Hale met Tobias Reed at the quay. Tobias Reed and Clara Hale moor the boat. Clara Hale pays Tobias Reed.\n"
	const other = "\n\nEdith Lang met Victor Quill in the town. Victor Quill and Edith Lang sell bread. Edith Lang knows Victor Quill.\n"
	store := open(t, nil)
	o := options(corpus(t, store))
	o.Chunk.Size = 60 // the second heading begins another chunk
	docs := folder(t, map[string]string{"guide.md": "# Ways to the harbour" + text + "\n## Bread for everyone" + other})
	titles := func() []string {
		run(t, store, o, docs)
		return slices.Sorted(maps.Values(reportTexts(t, o.Corpus, "title")))
	}
	if diff := cmp.Diff([]string{"Bread for everyone: Edith Lang and Victor Quill", "Ways to the harbour: Clara Hale and Tobias Reed"}, titles()); diff != "" {
		t.Fatalf("titles (-want +got):\n%s", diff)
	}
	write(t, filepath.Join(docs, "guide.md"), "# Paths to the quay"+text+"\n## Selling all loaves"+other)
	if diff := cmp.Diff([]string{"Paths to the quay: Clara Hale and Tobias Reed", "Selling all loaves: Edith Lang and Victor Quill"}, titles()); diff != "" {
		t.Errorf("titles after the headings changed (-want +got):\n%s", diff)
	}
	write(t, filepath.Join(docs, "guide.md"), "---\ntitle: News of the port\n---\n"+text+other)
	if diff := cmp.Diff([]string{"News of the port: Clara Hale and Tobias Reed", "News of the port: Edith Lang and Victor Quill"}, titles()); diff != "" {
		t.Errorf("titles without headings (-want +got):\n%s", diff)
	}
	write(t, filepath.Join(docs, "guide.md"), "---\ntitle: Old news of the port\n---\n"+text+other)
	if diff := cmp.Diff([]string{"Old news of the port: Clara Hale and Tobias Reed", "Old news of the port: Edith Lang and Victor Quill"}, titles()); diff != "" {
		t.Errorf("titles after the document got another (-want +got):\n%s", diff)
	}
}

// A report that a model fails to write is written without it, and named after a heading too.
func TestHeadingOfFailedReport(t *testing.T) {
	t.Parallel()
	store := open(t, nil)
	_, with := model(t, llmtest.Options{Handler: func(r llmtest.Request) llmtest.Reply {
		if fakemodel.Task(r) == prompts.Report {
			return llmtest.Reply{Status: http.StatusBadRequest, Message: "no"}
		}
		return fakemodel.Handler(r)
	}}, "")
	o := with(options(modelCorpus(t)))
	o.Model.ReportSmall = true
	docs := folder(t, map[string]string{"guide.md": "# Ways to the harbour\n\nClara Hale met Tobias Reed at the quay. Tobias Reed and Clara Hale moor the boat.\n"})
	if r := run(t, store, o, docs); len(r.Failures) != 1 {
		t.Errorf("failures %v, want that of the report", r.Failures)
	}
	if diff := cmp.Diff([]string{"Ways to the harbour: Clara Hale and Tobias Reed"}, slices.Sorted(maps.Values(reportTexts(t, o.Corpus, "title")))); diff != "" {
		t.Errorf("titles (-want +got):\n%s", diff)
	}
}
