package index_test

import (
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/text/textproc"
)

// withSynonyms are the options of a corpus that has synonyms. The least cosine is low, so that
// there are many, and lists are short, so that many are full.
func withSynonyms(corpus string) index.Options {
	o := keepSynonyms(corpus)
	o.With = append(o.With, "synonyms")
	return o
}

// keepSynonyms are the options of later runs of such a corpus.
func keepSynonyms(corpus string) index.Options {
	o := options(corpus)
	o.Synonyms.Most, o.Synonyms.Least = 2, .01
	return o
}

// similarTown returns documents with similar names.
func similarTown() map[string]string {
	files := town()
	files["names.txt"] = "Clara Halem met Clara Hale in Edinburgh. Clara Halem wrote to Tobias Reeds. Tobias Reeds sold a boat to Tobias Reed."
	return files
}

// TestSynonyms finds entities with similar names, and has a run keep them up to date without
// being told to, and delete them.
func TestSynonyms(t *testing.T) {
	t.Parallel()
	store := open(t, nil)
	live, fresh := corpus(t, store), corpus(t, store)
	docs := folder(t, similarTown())
	run(t, store, options(live), docs)
	plain := dump(t, store, live, "")
	o := options(live)
	o.With = append(o.With, "synonyms")
	run(t, store, o, docs)
	if got := dump(t, store, live, "evidence"); !strings.Contains(got, `"edge":"SYNONYM","from":"tobias reed"`) || strings.Contains(got, "name_vector") {
		t.Errorf("there is no edge SYNONYM from Tobias Reed, or a vector is dumped:\n%s", got)
	}
	write(t, docs+"/one.txt", "Clara Haler met Tobias Reed in Glasgow in 1934. They talked about the fire at the Harbour Museum because it had burnt down.")
	run(t, store, options(live), docs) // the corpus remembers that it has synonyms
	o.Corpus = fresh
	run(t, store, o, docs)
	same(t, dump(t, store, fresh, "evidence"), dump(t, store, live, "evidence"))
	if n := counts(t, store, live).Synonyms; n == 0 {
		t.Error("no edge is counted")
	}
	writeFiles(t, docs, similarTown())
	o = options(live)
	o.Without, o.Fresh = []string{"synonyms"}, true
	run(t, store, o, docs)
	same(t, plain, dump(t, store, live, ""))
	if again := run(t, store, options(live), docs); again.Writes != 0 {
		t.Errorf("after synonyms were dropped, a run wrote %d times", again.Writes)
	}
}

// TestKilledSynonyms kills a run with synonyms after each of its transactions that concern them:
// the next run ends with the graph of one that was not killed.
func TestKilledSynonyms(t *testing.T) {
	t.Parallel()
	k := newKilledArtifact(t, "index", keepSynonyms, withSynonyms, func(o *index.Options) { o.Without = []string{"synonyms"} })
	checkKilledRuns(t, k.docs, k.keep, []killedRun{
		{"synonyms settings", &k.keep, k.with, k.keep, k.want, "evidence"},
		{"mark synonyms", &k.keep, k.with, k.keep, k.want, "evidence"},
		{"synonyms", &k.keep, k.with, k.keep, k.want, "evidence"},
		{"synonyms settings", &k.with, k.without, k.keep, k.none, ""},
		{"synonyms dropped", &k.with, k.without, k.keep, k.none, ""},
		{"synonym names dropped", &k.with, k.without, k.with, k.want, "evidence"},
	})
}

// TestSynonymsByModel has an embedding model compare names. A name that it refuses is embedded by
// the next run; no name is embedded twice, except by another model.
func TestSynonymsByModel(t *testing.T) {
	t.Parallel()
	store := open(t, nil)
	live, fresh := modelCorpus(t), modelCorpus(t)
	docs := folder(t, town())
	var broken atomic.Bool
	var asked atomic.Int64
	broken.Store(true)
	_, with := model(t, llmtest.Options{Dimension: textproc.Dimension, Fault: func(r llmtest.Request) *llmtest.Reply {
		if r.Embeds() && slices.Contains(r.Input, "Mary Quill") {
			asked.Add(1)
		}
		if broken.Load() && r.Embeds() && slices.Contains(r.Input, "Victor Lang") {
			return &llmtest.Reply{Status: 400, Message: "I refuse this text"}
		}
		return nil
	}}, "")
	first := run(t, store, with(withSynonyms(live)), docs)
	if n := len(first.Failures); n != 1 || first.Exit != 3 || first.Failures[0].Stage != "synonyms" || !strings.Contains(first.Failures[0].Reason, "I refuse this text") {
		t.Errorf("exit %d, failures %+v", first.Exit, first.Failures)
	}
	broken.Store(false)
	before := asked.Load()
	compare := func(o index.Options) {
		t.Helper()
		o.Corpus, o.With = fresh, []string{"synonyms"}
		sameAsNew(t, store, live, docs, "SYNONYM", o)
	}
	run(t, store, with(keepSynonyms(live)), docs)
	write(t, docs+"/new.txt", "Clara Hale met Victor Langer in Glasgow in 1934.")
	run(t, store, with(keepSynonyms(live)), docs)
	if again := run(t, store, with(keepSynonyms(live)), docs); again.Writes != 0 || asked.Load() != before || before == 0 {
		t.Errorf("a run with nothing to do wrote %d times; a name was embedded %d times, then %d", again.Writes, before, asked.Load())
	}
	compare(with(keepSynonyms(live)))
	_, vectors := embedder(t, "other", textproc.Dimension)
	o := with(keepSynonyms(live))
	o.Embedder, o.AllowRedo = vectors(), true
	embedAgain(t, store, o)
	compare(o)
}

// TestEstimatedNames compares the estimated number of names to embed with the real one.
func TestEstimatedNames(t *testing.T) {
	t.Parallel()
	live := modelCorpus(t)
	docs := folder(t, town())
	_, with := model(t, llmtest.Options{Handler: counted(t)}, "")
	named := estimate(t, with(withSynonyms(live)), docs)
	plain := estimate(t, with(options(live)), docs)
	hashed := estimate(t, withSynonyms(live), docs)
	if named.Names == 0 || named.TokensIn <= plain.TokensIn || plain.Names+hashed.Names > 0 {
		t.Errorf("%d names, %d without synonyms, %d without a model; %d tokens, %d without synonyms", named.Names, plain.Names, hashed.Names, named.TokensIn, plain.TokensIn)
	}
}
