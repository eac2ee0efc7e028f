package index_test

import (
	"errors"
	"testing"

	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/testkit/fakemodel"
)

// The tolerance of an estimate, as factors. The number of calls is easier to estimate
// than the length of answers, and the simulated model writes short ones.
const (
	callsWithin = 1.5
	inWithin    = 2.0
	outWithin   = 3.0
)

// counted returns the simulated model with token counts of a real tokenizer.
func counted(t *testing.T) func(llmtest.Request) llmtest.Reply {
	t.Helper()
	handler, err := fakemodel.Counted()
	if err != nil {
		t.Fatal(err)
	}
	return handler
}

func within(estimate, real int64, factor float64) bool {
	e, r := float64(estimate), float64(real)
	return e <= r*factor && e >= r/factor
}

func estimate(t *testing.T, o index.Options, docs string) index.Estimate {
	t.Helper()
	x, err := index.New(open(t, nil), o)
	if err != nil {
		t.Fatal(err)
	}
	chat := llm.Price{In: 1, Out: 2}
	prices := index.Prices{"extract": chat, "describe": chat, "report": chat, "embed": {In: 0.5}}
	e, err := x.Estimate(t.Context(), []string{docs}, prices)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// TestEstimate compares an estimate with the calls of a run. An estimate calls no model
// and writes nothing.
func TestEstimate(t *testing.T) {
	t.Parallel()
	store := open(t, nil)
	name := modelCorpus(t)
	docs := folder(t, town())
	server, with := model(t, llmtest.Options{Handler: counted(t)}, "")
	e := estimate(t, with(options(name)), docs)
	_, err := store.Corpus(t.Context(), name)
	if n := server.Counts().Requests; n != 0 || !errors.Is(err, neo4jstore.ErrNoCorpus) {
		t.Errorf("an estimate made %d calls; reading the corpus: %v, want no calls and no corpus", n, err)
	}
	r := run(t, store, with(options(name)), docs)
	t.Logf("estimated: %d calls, %d tokens in, %d out, cost %.4f, %.1f s; real: %d, %d, %d, %.4f", e.Calls, e.TokensIn, e.TokensOut, e.Cost, e.Seconds, r.Calls, r.TokensIn, r.TokensOut, r.Cost)
	if !within(e.Calls, r.Calls, callsWithin) || !within(e.TokensIn, r.TokensIn, inWithin) || !within(e.TokensOut, r.TokensOut, outWithin) || e.Cost <= 0 || e.Seconds <= 0 {
		t.Errorf("estimated %+v, real %+v", e, r)
	}
	for _, s := range e.Stages {
		for _, done := range r.Stages {
			if s.Name == done.Name {
				t.Logf("%-9s estimated %3d calls, %6d tokens in, %5d out; real %3d, %6d, %5d", s.Name, s.Calls, s.TokensIn, s.TokensOut, done.Calls, done.TokensIn, done.TokensOut)
				if s.Name == "extract" && s.Calls != done.Calls {
					t.Errorf("%d extraction calls estimated, %d made", s.Calls, done.Calls)
				}
			}
		}
	}
	if again := estimate(t, with(options(name)), docs); again.Calls != 0 || again.Cost != 0 || again.Chunks != 0 {
		t.Errorf("nothing to do: got %+v", again)
	}
	write(t, docs+"/four.txt", "Agnes Moor met Tobias Reed in Leith in 1940.")
	more := estimate(t, with(options(name)), docs)
	if more.Chunks != 1 || more.Calls == 0 || more.Calls > e.Calls/2 {
		t.Errorf("after adding a short document: got %+v", more)
	}
	o := with(options(name))
	o.Model.Gleanings = -1
	if all := estimate(t, o, docs); all.Chunks != e.Chunks+1 {
		t.Errorf("other settings: %d chunks to extract, want all %d", all.Chunks, e.Chunks+1)
	}
}
