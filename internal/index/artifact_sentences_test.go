package index_test

import (
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/testkit/faulttest"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
	"github.com/neorag/neorag/internal/text/textproc"
)

// withSentences are the options of a corpus that has sentences.
func withSentences(corpus string) index.Options {
	o := options(corpus)
	o.With = append(o.With, "sentences")
	return o
}

// TestUpdatedSentences changes one document: the sentences of the others are not written again,
// and no vector of them is made again.
func TestUpdatedSentences(t *testing.T) {
	t.Parallel()
	dimension := textproc.Dimension // of the other model
	if faulttest.All() {
		neo4jtest.ChangesIndexes(t)
		dimension *= 2
	}
	store := open(t, nil)
	live := neo4jtest.Borrow(t, "model sentences")
	docs := folder(t, town())
	e, vectors := embedder(t, "sentences", textproc.Dimension)
	o := withSentences(live)
	o.Embedder = vectors()
	first := run(t, store, o, docs)
	n := counts(t, store, live)
	before := e.Counts().Requests
	if n.Sentences == 0 || before == 0 {
		t.Fatalf("%d sentences, %d requests", n.Sentences, before)
	}
	write(t, docs+"/new.txt", "Clara Hale met Tobias Reed in Glasgow in 1934.")
	second := run(t, store, o, docs)
	if got := counts(t, store, live).Sentences; got != n.Sentences+1 {
		t.Errorf("%d sentences, then %d", n.Sentences, got)
	}
	if a, b := doneIn(first, "sentences"), doneIn(second, "sentences"); a != n.Chunks || b != 1 {
		t.Errorf("sentences of %d chunks were made, then of %d", a, b)
	}
	x, err := index.New(store, o)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := x.Embed(t.Context(), false); err != nil || doneIn(second, "embed") > n.Entities {
		t.Errorf("%d texts were embedded after a change of one sentence; %v", doneIn(second, "embed"), err)
	}
	other, otherVectors := embedder(t, "other", dimension)
	o.Embedder, o.AllowRedo = otherVectors(), true
	if x, err = index.New(store, o); err != nil {
		t.Fatal(err)
	}
	if _, err := x.Embed(t.Context(), true); err != nil || other.Counts().Requests == 0 {
		t.Errorf("embedding again: %d requests, %v", other.Counts().Requests, err)
	}
	if problems, err := index.CheckGraph(t.Context(), store, live); err != nil || len(problems) > 0 {
		t.Errorf("the doctor finds %v, %v", problems, err)
	}
}

// doneIn returns how many items a stage of a run did.
func doneIn(r index.Result, stage string) int {
	for _, s := range r.Stages {
		if s.Name == stage {
			return s.Done
		}
	}
	return -1
}

// TestEstimatedSentences compares the estimated number of sentences with the real one.
func TestEstimatedSentences(t *testing.T) {
	t.Parallel()
	store := open(t, nil)
	live, without := neo4jtest.Borrow(t, "sentences"), corpus(t, store)
	docs := folder(t, town())
	_, with := model(t, llmtest.Options{Handler: counted(t)}, "")
	first := estimate(t, with(withSentences(live)), docs)
	plain := estimate(t, with(options(live)), docs)
	run(t, store, options(without), docs)
	later := estimate(t, withSentences(without), docs)
	run(t, store, withSentences(live), docs)
	n := counts(t, store, live).Sentences
	if first.Sentences != n || !within(int64(later.Sentences), int64(n), 3) || plain.Sentences != 0 {
		t.Errorf("estimated %d sentences, %d in a corpus without them, %d for options without them; real: %d", first.Sentences, later.Sentences, plain.Sentences, n)
	}
	if first.TokensIn <= plain.TokensIn {
		t.Errorf("%d tokens with sentences, %d without them", first.TokensIn, plain.TokensIn)
	}
}

// TestKilledSentences kills a run with sentences after each of its transactions that concern
// them: the next run ends with the graph of one that was not killed, also if it is not told
// again that it shall make or delete them.
func TestKilledSentences(t *testing.T) {
	neo4jtest.ChangesIndexes(t)
	k := newKilledArtifact(t, "sentences", options, withSentences, func(o *index.Options) { o.Without = []string{"sentences"} })
	checkKilledRuns(t, k.docs, k.keep, []killedRun{
		{"sentences settings", nil, k.with, k.keep, k.want, "evidence"},
		{"settings", nil, k.with, k.keep, k.want, "evidence"},
		{"sentences", nil, k.with, k.keep, k.want, "evidence"},
		{"mark sentences", &k.keep, k.with, k.keep, k.want, "evidence"},
		{"sentences settings", &k.with, k.without, k.keep, k.none, ""},
		{"sentences dropped", &k.with, k.without, k.keep, k.none, ""},
		{"sentences dropped", &k.with, k.without, k.with, k.want, "evidence"},
		{"dropped nodes", &k.with, k.without, k.with, k.want, "evidence"},
	})
	if strings.Contains(k.none, "sentence") {
		t.Error("a corpus without sentences has something of them")
	}
}
