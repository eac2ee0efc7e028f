package index_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/text/textproc"
)

// withDocumentLinks are the options of a corpus that has edges between similar documents. A
// document has one, so that the lists of few documents are full.
func withDocumentLinks(corpus string) index.Options {
	o := keepDocumentLinks(corpus)
	o.With = append(o.With, "document-links")
	return o
}

// keepDocumentLinks are the options of later runs of such a corpus.
func keepDocumentLinks(corpus string) index.Options {
	o := options(corpus)
	o.DocumentLinks.Most = 1
	return o
}

// TestDocumentLinks links similar documents, and has a run keep the edges up to date without
// being told to, and delete them.
func TestDocumentLinks(t *testing.T) {
	t.Parallel()
	store := open(t, nil)
	live, fresh := corpus(t, store), corpus(t, store)
	docs := folder(t, town())
	run(t, store, options(live), docs)
	plain := dump(t, store, live, "")
	o := options(live)
	o.With = append(o.With, "document-links")
	run(t, store, o, docs)
	if got := dump(t, store, live, "evidence"); strings.Count(got, `"edge":"SIMILAR_DOCUMENT"`) != 6 || strings.Contains(got, `"vector"`) {
		t.Errorf("three documents have not two edges each, or a vector is dumped:\n%s", got)
	}
	if n := counts(t, store, live).DocumentLinks; n != 6 {
		t.Errorf("%d edges are counted, want 6", n)
	}
	twin := town()["two.txt"]
	write(t, docs+"/twin.txt", twin+" The end.")
	run(t, store, options(live), docs) // the corpus remembers that it has edges
	o.Corpus = fresh
	run(t, store, o, docs)
	got := dump(t, store, live, "evidence")
	same(t, dump(t, store, fresh, "evidence"), got)
	for _, ends := range [][2]string{{"twin.txt", "two.txt"}, {"two.txt", "twin.txt"}} {
		edge := fmt.Sprintf(`"SIMILAR_DOCUMENT","from":"docs/%s","from_node":"Document","properties":{"score":0.99`, ends[0])
		if _, after, found := strings.Cut(got, edge); !found || !strings.HasPrefix(after[4:], fmt.Sprintf(`},"to":"docs/%s"`, ends[1])) {
			t.Errorf("%s has no edge to %s:\n%s", ends[0], ends[1], got)
		}
	}
	if err := os.Remove(docs + "/twin.txt"); err != nil {
		t.Fatal(err)
	}
	o = options(live)
	o.Without, o.Fresh = []string{"document-links"}, true
	run(t, store, o, docs)
	same(t, plain, dump(t, store, live, ""))
	if again := run(t, store, options(live), docs); again.Writes != 0 {
		t.Errorf("after the edges were dropped, a run wrote %d times", again.Writes)
	}
}

// TestKilledDocumentLinks kills a run after each of its transactions that concern edges between
// documents: the next run ends with the graph of one that was not killed.
func TestKilledDocumentLinks(t *testing.T) {
	t.Parallel()
	k := newKilledArtifact(t, "index", keepDocumentLinks, withDocumentLinks, func(o *index.Options) { o.Without = []string{"document-links"} })
	checkKilledRuns(t, k.docs, k.keep, []killedRun{
		{"document-links settings", &k.keep, k.with, k.keep, k.want, "evidence"},
		{"mark documents", &k.keep, k.with, k.keep, k.want, "evidence"},
		{"document links", &k.keep, k.with, k.keep, k.want, "evidence"},
		{"document-links settings", &k.with, k.without, k.keep, k.none, ""},
		{"document links dropped", &k.with, k.without, k.keep, k.none, ""},
		{"document vectors dropped", &k.with, k.without, k.with, k.want, "evidence"},
	})
}

// TestDocumentLinksByModel compares documents by the vectors of an embedding model. A document
// with a chunk that the model refused gets its edges when the chunk is embedded, and another model
// makes them again.
func TestDocumentLinksByModel(t *testing.T) {
	t.Parallel()
	store := open(t, nil)
	live, fresh := modelCorpus(t), modelCorpus(t)
	docs := folder(t, town())
	var broken atomic.Bool
	broken.Store(true)
	_, with := model(t, llmtest.Options{Dimension: textproc.Dimension, Fault: func(r llmtest.Request) *llmtest.Reply {
		isChunk := func(text string) bool { return len(text) > 200 && strings.Contains(text, "Inspector") }
		if broken.Load() && r.Embeds() && slices.ContainsFunc(r.Input, isChunk) {
			return &llmtest.Reply{Status: 400, Message: "I refuse this text"}
		}
		return nil
	}}, "")
	first := run(t, store, with(withDocumentLinks(live)), docs)
	if len(first.Failures) == 0 || first.Exit != 3 {
		t.Errorf("exit %d, failures %+v, want a chunk without a vector", first.Exit, first.Failures)
	}
	before := dump(t, store, live, "evidence")
	broken.Store(false)
	compare := func(o index.Options) {
		t.Helper()
		o.Corpus, o.With = fresh, []string{"document-links"}
		if got := sameAsNew(t, store, live, docs, "SIMILAR_DOCUMENT", o); got == before {
			t.Error("the edges are those of before")
		}
	}
	run(t, store, with(keepDocumentLinks(live)), docs)
	compare(with(keepDocumentLinks(live)))
	_, vectors := embedder(t, "other", textproc.Dimension)
	o := with(keepDocumentLinks(live))
	o.Embedder, o.AllowRedo = vectors(), true
	embedAgain(t, store, o)
	compare(o)
}
