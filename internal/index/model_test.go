package index_test

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/llm/openai"
	"github.com/neorag/neorag/internal/stage/extract"
	"github.com/neorag/neorag/internal/testkit/fakemodel"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
	"github.com/neorag/neorag/internal/text/textproc"
	"github.com/neorag/neorag/prompts"
)

// quick retries without long waits.
var quick = llm.Retry{Attempts: 3, FirstWait: time.Millisecond, MaxWait: 2 * time.Millisecond}

// model starts a simulated model. It returns a function that makes options use it.
func model(t *testing.T, o llmtest.Options, cache string) (*llmtest.Server, func(index.Options) index.Options) {
	t.Helper()
	return modelWith(t, o, cache, quick)
}

// modelWith is model with another way to retry.
func modelWith(t *testing.T, o llmtest.Options, cache string, retry llm.Retry) (*llmtest.Server, func(index.Options) index.Options) {
	t.Helper()
	if o.Handler == nil {
		o.Handler = fakemodel.Handler
	}
	o.Dimension = cmp.Or(o.Dimension, textproc.Dimension) // that of the borrowed corpora
	server := llmtest.New(o)
	t.Cleanup(server.Close)
	client, err := openai.New(openai.Config{BaseURL: server.URL(), Model: "simulated", EmbeddingModel: "vectors"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return server, func(options index.Options) index.Options {
		meter, c, gate := &llm.Meter{}, &llm.Cache{Dir: cache}, llm.NewLimiter(llm.Limits{Concurrent: 8})
		chat := llm.New(llm.Config{Provider: client.Chat(), Meter: meter, Cache: c, Limiter: gate, Retry: retry, Price: llm.Price{In: 1, Out: 2}})
		options.Meter, options.Concurrency = meter, 8
		options.Model = &index.Model{Extract: chat, Summarise: chat, Report: chat}
		options.Resolve.MaxFragments = 2
		options.Embedder = &index.ModelEmbedder{BatchEmbedder: llm.NewEmbedder(llm.EmbedConfig{Provider: client.Embedder(), Meter: meter, Cache: c, Limiter: gate, Retry: retry})}
		return options
	}
}

// separateClaims has the model asked for claims in a separate call.
func separateClaims(o index.Options) index.Options {
	o.Model.Claims = extract.ClaimsSeparate
	return o
}

func tasks(s *llmtest.Server) map[string]int {
	n := map[string]int{}
	for _, r := range s.Requests() {
		n[fakemodel.Task(r)]++
	}
	return n
}

func TestModel(t *testing.T) {
	t.Parallel()
	store := open(t, nil)
	name, other := modelCorpus(t), modelCorpus(t)
	docs := folder(t, town())
	server, with := model(t, llmtest.Options{}, "")
	r := run(t, store, with(options(name)), docs)
	if s := r.Rebuild; s == nil || s.Calls < .99 || s.Calls > 1.01 || s.Tokens < .99 || s.Tokens > 1.01 {
		t.Errorf("a first run has a share of %+v of a new corpus", s)
	}
	asked := tasks(server)
	for _, task := range []string{prompts.Extract, prompts.GleanList, prompts.Summarise, prompts.Report, fakemodel.Embed} {
		if asked[task] == 0 {
			t.Errorf("no call for %s: %v", task, asked)
		}
	}
	if asked[fakemodel.Unknown] > 0 || r.Exit != 0 || r.Calls != int64(server.Counts().Requests) || r.Cost == 0 || r.TokensIn == 0 {
		t.Errorf("got %+v, and calls %v", r, asked)
	}
	before := dump(t, store, name, "")
	for _, want := range []string{`"model":"simulated"`, `"CITES"`, `"node":"Claim"`, "In short: "} {
		if !strings.Contains(before, want) {
			t.Errorf("the graph does not contain %s", want)
		}
	}
	for _, never := range []string{"[Data:", "9999", "<|", "<think>"} {
		if strings.Contains(before, never) {
			t.Errorf("the graph contains %s", never)
		}
	}
	if again := run(t, store, with(options(name)), docs); again.Writes != 0 || again.Calls != 0 {
		t.Errorf("a second run: %d writes, %d calls, want none", again.Writes, again.Calls)
	}
	o := with(options(other))
	o.Concurrency = 1
	run(t, store, o, docs)
	same(t, before, dump(t, store, other, ""))

	server.Reset()
	write(t, filepath.Join(docs, "four.txt"), "Agnes Moor met Tobias Reed in Leith in 1940.")
	if s := run(t, store, with(options(name)), docs).Rebuild; s == nil || s.Calls <= 0 || s.Calls > .6 || s.Tokens <= 0 || s.Tokens > .6 {
		t.Errorf("after adding a short document: a share of %+v of a new corpus", s)
	}
	if asked := tasks(server); asked[prompts.Extract] != 1 || asked[prompts.GleanList] != 1 {
		t.Errorf("after adding a short document: calls %v, want one extraction", asked)
	}
}

// TestModelFails makes chunks, descriptions, reports and vectors fail. The next run
// completes them.
func TestModelFails(t *testing.T) {
	t.Parallel()
	store := open(t, nil)
	docs := folder(t, town())
	healthy := modelCorpus(t)
	_, with := model(t, llmtest.Options{}, "")
	run(t, store, separateClaims(with(options(healthy))), docs)
	want := dump(t, store, healthy, "evidence")
	for _, tt := range []struct {
		name, stage string
		status      int
		hit         func(llmtest.Request) bool
	}{
		{"chunk", "extract", 500, func(r llmtest.Request) bool {
			return fakemodel.Task(r) == prompts.Extract && strings.Contains(r.Last(), "Harbour Museum burned")
		}},
		{"claims", "extract", 400, func(r llmtest.Request) bool {
			return fakemodel.Task(r) == prompts.Claims && strings.Contains(r.Last(), "Harbour Museum burned")
		}},
		// Not all of them, which would be a server that is down.
		{"description", "describe", 502, func(r llmtest.Request) bool {
			return fakemodel.Task(r) == prompts.Summarise && strings.Contains(r.Last(), "Glasgow")
		}},
		{"report", "report", 400, func(r llmtest.Request) bool { return fakemodel.Task(r) == prompts.Report }},
		{"vector", "embed", 500, func(r llmtest.Request) bool {
			return r.Embeds() && strings.Contains(strings.Join(r.Input, "\n"), "Harbour Museum: ")
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var broken atomic.Bool
			broken.Store(true)
			_, with := model(t, llmtest.Options{Fault: func(r llmtest.Request) *llmtest.Reply {
				if broken.Load() && tt.hit(r) {
					return &llmtest.Reply{Status: tt.status, Message: "I refuse this text"}
				}
				return nil
			}}, t.TempDir())
			name := modelCorpus(t)
			for range 2 {
				r := run(t, store, separateClaims(with(options(name))), docs)
				if r.Exit != 3 || len(r.Failures) == 0 || r.Failures[0].Stage != tt.stage || !strings.Contains(r.Failures[0].Reason, "I refuse this text") {
					t.Errorf("got exit %d and failures %+v", r.Exit, r.Failures)
				}
				pending, err := store.Pending(t.Context(), name)
				if err != nil || pending[tt.stage] < len(r.Failures) {
					t.Errorf("pending: %v, %v, want %d for %s", pending, err, len(r.Failures), tt.stage)
				}
			}
			counts, err := store.Counts(t.Context(), name)
			if err != nil || counts.Reports != counts.Communities || counts.Reports == 0 {
				t.Errorf("%+v, %v: want a report for every community", counts, err)
			}
			broken.Store(false)
			if r := run(t, store, separateClaims(with(options(name))), docs); r.Exit != 0 {
				t.Errorf("after the model recovered: got exit %d and %+v", r.Exit, r.Failures)
			}
			same(t, want, dump(t, store, name, "evidence"))
			if r := run(t, store, separateClaims(with(options(name))), docs); r.Writes != 0 {
				t.Errorf("a run after it wrote %d times", r.Writes)
			}
		})
	}
}

// TestModelGone uses servers that answer no call: the run ends before it has called for half of the texts, each
// of which takes up to nine calls.
func TestModelGone(t *testing.T) {
	t.Parallel()
	store := open(t, nil)
	const texts = 80
	docs := folder(t, circles(texts))
	for _, tt := range []struct {
		fault  llmtest.Reply
		embeds bool // the embedding model fails instead, after it told its dimension
		want   string
	}{
		{llmtest.Reply{Status: 401, Message: "bad key"}, false, "key"},
		{llmtest.Reply{Reset: true}, false, "does not answer"},
		{llmtest.Reply{Status: 503}, false, "failed 8 times in a row"},
		{llmtest.Reply{Status: 500, Message: "out of memory"}, true, "out of memory"},
	} {
		var probed atomic.Bool
		server, with := model(t, llmtest.Options{Fault: func(r llmtest.Request) *llmtest.Reply {
			if r.Embeds() != tt.embeds || tt.embeds && !probed.Swap(true) {
				return nil
			}
			return &tt.fault
		}}, "")
		r, err := try(t, store, with(options(modelCorpus(t))), docs)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("got %v and %+v, want %q", err, r, tt.want)
		}
		calls := server.Counts().Chats
		if tt.embeds {
			calls = server.Counts().Embeds
		}
		if calls > 9*texts/2 || len(r.Failures) > texts/2 {
			t.Errorf("%v: %d calls to a server that answers none and %d failed parts of %d texts", tt.fault, calls, len(r.Failures), texts)
		}
	}
}

// TestManyDocumentsGone removes most documents of a corpus that a model made, which needs
// Options.AllowRedo.
func TestManyDocumentsGone(t *testing.T) {
	t.Parallel()
	store := open(t, nil)
	name := modelCorpus(t)
	docs := t.TempDir()
	for i := range 15 {
		write(t, filepath.Join(docs, fmt.Sprintf("%02d.txt", i)), fmt.Sprintf("Agnes Moor met Tobias Reed in %d.", 1900+i))
	}
	_, with := model(t, llmtest.Options{}, "")
	o := with(options(name))
	o.WithoutReports = true
	run(t, store, o, docs)
	for i := range 10 {
		if err := os.Remove(filepath.Join(docs, fmt.Sprintf("%02d.txt", i))); err != nil {
			t.Fatal(err)
		}
	}
	if r, err := try(t, store, o, docs); !errors.Is(err, index.ErrManyGone) || r.Writes != 0 {
		t.Errorf("got %v and %d writes, want ErrManyGone", err, r.Writes)
	}
	o.AllowRedo = true
	if r := run(t, store, o, docs); r.Documents.Removed != 10 {
		t.Errorf("with AllowRedo: %+v", r.Documents)
	}
}

// TestOtherMode changes between models and none, which needs Options.AllowRedo.
func TestOtherMode(t *testing.T) {
	neo4jtest.ChangesIndexes(t)
	store := open(t, nil)
	name, offline := modelCorpus(t), modelCorpus(t)
	docs := folder(t, town())
	_, with := model(t, llmtest.Options{}, "")
	run(t, store, options(name), docs)
	_, err := try(t, store, with(options(name)), docs)
	if !errors.Is(err, index.ErrOtherMode) || !strings.Contains(err.Error(), "made with offline, and with simulated, vectors this run would redo the extraction of all chunks") {
		t.Errorf("from offline to a model: got %v", err)
	}
	o := with(options(name))
	o.AllowRedo = true
	run(t, store, o, docs)
	k, err := store.Corpus(t.Context(), name)
	if err != nil || k.Mode != "simulated, vectors" || k.Embedder != "model:vectors" {
		t.Errorf("the corpus has %+v, %v", k, err)
	}
	o = with(options(name))
	o.Report.MaxTokens = 300
	if _, err := try(t, store, o, docs); !errors.Is(err, index.ErrOtherMode) {
		t.Errorf("other reports: got %v", err)
	}
	o = options(name)
	if _, err := try(t, store, o, docs); !errors.Is(err, index.ErrOtherMode) {
		t.Errorf("from a model to offline: got %v", err)
	}
	o.AllowRedo = true
	run(t, store, o, docs)
	run(t, store, options(offline), docs)
	if diff := gocmp.Diff(dump(t, store, offline, "evidence"), dump(t, store, name, "evidence")); diff != "" {
		t.Errorf("back to offline (-want +got):\n%.3000s", diff)
	}
}
