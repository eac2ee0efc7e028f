package index_test

import (
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/llm/openai"
	"github.com/neorag/neorag/internal/testkit/fakemodel"
	"github.com/neorag/neorag/internal/text/textproc"
)

// TestBudget runs repeatedly with a small budget: no run exceeds it, none fails, and
// together they make the same graph as one run. Only calls in flight at the end of a run
// are repeated.
func TestBudget(t *testing.T) {
	t.Parallel()
	store := open(t, nil)
	docs := folder(t, town())
	whole, name := modelCorpus(t), modelCorpus(t)
	long := func(r llmtest.Request) llmtest.Reply {
		reply := fakemodel.Handler(r)
		reply.TokensOut = 20_000 // as long as the limit allows
		if r.MaxTokens > 0 {
			reply.TokensOut = min(reply.TokensOut, int64(r.MaxTokens))
		}
		return reply
	}
	_, with := model(t, llmtest.Options{Handler: long}, "")
	all := run(t, store, with(options(whole)), docs)

	server := llmtest.New(llmtest.Options{Handler: long, Dimension: textproc.Dimension})
	t.Cleanup(server.Close)
	client, err := openai.New(openai.Config{BaseURL: server.URL(), Model: "simulated", EmbeddingModel: "vectors"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	cache := &llm.Cache{Dir: t.TempDir()}
	price, perVector := llm.Price{In: 1, Out: 1}, llm.Price{In: 0.5}
	most := price.Cost(llm.Usage{TokensIn: all.TokensIn, TokensOut: all.TokensOut}) / 4
	spent, runs := 0.0, 0
	for ; runs < 20; runs++ {
		meter, budget, gate := &llm.Meter{}, llm.NewBudget(most), llm.NewLimiter(llm.Limits{Concurrent: 8})
		chat := llm.New(llm.Config{Provider: client.Chat(), Meter: meter, Cache: cache, Limiter: gate, Budget: budget, Price: price, Retry: quick})
		o := options(name)
		o.Meter, o.Concurrency, o.Resolve.MaxFragments = meter, 8, 2
		o.Model = &index.Model{Extract: chat, Summarise: chat, Report: chat}
		o.Embedder = &index.ModelEmbedder{BatchEmbedder: llm.NewEmbedder(llm.EmbedConfig{Provider: client.Embedder(), Meter: meter, Cache: cache, Limiter: gate, Budget: budget, Price: perVector, Retry: quick})}
		r := run(t, store, o, docs)
		spent += r.Cost
		if r.Cost > most || len(r.Failures) > 0 {
			t.Errorf("run %d: %.4f of %.4f spent, failures %+v", runs, r.Cost, most, r.Failures)
		}
		if r.Exit == 0 {
			break
		}
		note := strings.Join(r.Notes, "\n")
		if r.Exit != 3 || r.Stopped == "" || !strings.Contains(note, "run the same command again to continue") || !strings.Contains(note, "; remaining: ") {
			t.Fatalf("run %d: exit %d, stopped %q, notes %q", runs, r.Exit, r.Stopped, note)
		}
	}
	t.Logf("%d runs of at most %.4f; together %.4f", runs+1, most, spent)
	if runs < 2 || runs == 20 {
		t.Errorf("%d runs", runs+1)
	}
	if asked := server.Counts().Requests; int64(asked) > all.Calls+int64(8*runs) {
		t.Errorf("%d calls in all runs, %d in a single one: paid calls were repeated", asked, all.Calls)
	}
	same(t, dump(t, store, whole, ""), dump(t, store, name, ""))
}
