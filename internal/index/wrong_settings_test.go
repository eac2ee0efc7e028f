package index_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/llm/openai"
	"github.com/neorag/neorag/internal/testkit/fakemodel"
	"github.com/neorag/neorag/internal/text/textproc"
	"github.com/neorag/neorag/prompts"
)

// connected are the settings of the models of a run. Empty ones are right.
type connected struct {
	path        string // of the address; "none" for an address without one
	key         string
	chat        string // model of all stages
	reports     string // another model of reports
	vectors     string
	vectorsOnly bool
	chunkSize   int
	with        []string
	without     []string
}

// strictServer serves one model of each kind, to clients that have its key. A fault is called for
// requests that it would answer.
func strictServer(t *testing.T, fault func(llmtest.Request) *llmtest.Reply) *llmtest.Server {
	t.Helper()
	server := llmtest.New(llmtest.Options{Handler: fakemodel.Handler, Dimension: textproc.Dimension, Key: "right", Fault: func(r llmtest.Request) *llmtest.Reply {
		if strings.HasPrefix(r.Model, "wrong") {
			return &llmtest.Reply{Status: http.StatusNotFound, Message: "no such model"}
		}
		return fault(r)
	}})
	t.Cleanup(server.Close)
	return server
}

func noFault(llmtest.Request) *llmtest.Reply { return nil }

// optionsOf returns the options of a run whose models are on the server.
func (c connected) optionsOf(t *testing.T, server *llmtest.Server, corpus string) index.Options {
	t.Helper()
	base := server.URL()
	if c.path == "none" {
		base = strings.TrimSuffix(base, "/v1")
	}
	or := func(value, right string) string {
		if value != "" {
			return value
		}
		return right
	}
	client := func(chat string) *openai.Client {
		client, err := openai.New(openai.Config{BaseURL: base, Key: or(c.key, "right"), Model: chat, EmbeddingModel: or(c.vectors, "vectors")})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(client.Close)
		return client
	}
	chat := func(name string) llm.Chat {
		return llm.New(llm.Config{Provider: client(name).Chat(), Retry: quick})
	}
	o := options(corpus)
	o.Concurrency = 1
	o.With, o.Without = c.with, c.without
	if c.chunkSize > 0 {
		o.Chunk.Size = c.chunkSize
	}
	o.Embedder = &index.ModelEmbedder{Server: base, BatchEmbedder: llm.NewEmbedder(llm.EmbedConfig{Provider: client("none").Embedder(), Retry: quick})}
	if !c.vectorsOnly {
		name := or(c.chat, "simulated")
		o.Resolve.MaxFragments = 2
		o.Model = &index.Model{Extract: chat(name), Summarise: chat(name), Report: chat(or(c.reports, name))}
	}
	return o
}

// TestWrongSettingsDoNotStick runs with wrong settings of models, and then with right ones, which
// is not refused: with the wrong ones nothing was made that would be redone.
func TestWrongSettingsDoNotStick(t *testing.T) {
	t.Parallel()
	store := open(t, nil)
	docs := folder(t, town())
	server := strictServer(t, noFault)
	right, vectors := connected{}, connected{vectorsOnly: true}
	want := map[bool]string{} // by vectorsOnly
	for _, c := range []connected{right, vectors} {
		corpus := modelCorpus(t)
		run(t, store, c.optionsOf(t, server, corpus), docs)
		want[c.vectorsOnly] = dump(t, store, corpus, "evidence")
	}
	for name, tt := range map[string]struct{ first, second connected }{
		"address":                   {connected{path: "none"}, right},
		"key":                       {connected{key: "wrong"}, right},
		"chat model":                {connected{chat: "wrong"}, right},
		"embedding model":           {connected{vectors: "wrong"}, right},
		"model of reports":          {connected{reports: "wrong"}, right},
		"address of vectors only":   {connected{vectorsOnly: true, path: "none"}, vectors},
		"key of vectors only":       {connected{vectorsOnly: true, key: "wrong"}, vectors},
		"address and chunks":        {connected{path: "none", chunkSize: 96}, right},
		"address, with an artifact": {connected{path: "none", with: []string{"queries"}}, connected{without: []string{"queries"}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			corpus := modelCorpus(t)
			if r, err := try(t, store, tt.first.optionsOf(t, server, corpus), docs); err == nil {
				t.Fatalf("the wrong settings were taken: %+v", r)
			}
			second := tt.second.optionsOf(t, server, corpus)
			if r := run(t, store, second, docs); r.Exit != 0 {
				t.Errorf("exit %d, failures %+v", r.Exit, r.Failures)
			}
			if r := run(t, store, second, docs); r.Writes != 0 {
				t.Errorf("the run after it wrote %d times", r.Writes)
			}
			same(t, want[tt.second.vectorsOnly], dump(t, store, corpus, "evidence"))
		})
	}
}

// TestPartOfTheResultsIsConfirmed ends runs when a part of the results of a model is made. A run with
// another model asks before it redoes them.
func TestPartOfTheResultsIsConfirmed(t *testing.T) {
	t.Parallel()
	store := open(t, nil)
	docs := folder(t, town())
	for name, tt := range map[string]struct {
		ends   func(r llmtest.Request, before int) bool // before counts the earlier requests for the same task
		second connected
		want   string
	}{
		"vectors of chunks": {
			func(r llmtest.Request, _ int) bool {
				return r.Embeds() && strings.Contains(strings.Join(r.Input, "\n"), "Harbour Museum: ")
			},
			connected{vectors: "other"},
			"all vectors",
		},
		"extraction of a chunk": {
			func(r llmtest.Request, before int) bool { return fakemodel.Task(r) == prompts.Extract && before > 0 },
			connected{chat: "other"},
			"the extraction of all chunks",
		},
		"a report": {
			func(r llmtest.Request, before int) bool { return fakemodel.Task(r) == prompts.Report && before > 0 },
			connected{reports: "other"},
			"all reports",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			requests := map[string]int{}
			broken := true
			server := strictServer(t, func(r llmtest.Request) *llmtest.Reply {
				task := fakemodel.Task(r)
				requests[task]++
				if broken && tt.ends(r, requests[task]-1) {
					return &llmtest.Reply{Status: http.StatusUnauthorized, Message: "the key has expired"}
				}
				return nil
			})
			corpus := modelCorpus(t)
			if r, err := try(t, store, connected{}.optionsOf(t, server, corpus), docs); err == nil {
				t.Fatalf("the run was not ended: %+v", r)
			}
			broken = false
			before := dump(t, store, corpus, "")
			_, err := try(t, store, tt.second.optionsOf(t, server, corpus), docs)
			if !errors.Is(err, index.ErrOtherMode) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("another model: got %v, want %q", err, tt.want)
			}
			same(t, before, dump(t, store, corpus, ""))
			o := tt.second.optionsOf(t, server, corpus)
			o.AllowRedo = true
			run(t, store, o, docs)
		})
	}
}

// TestWrongEmbedderDoesNotStick embeds a corpus whose first run had a wrong address of the embedding
// model: there are no vectors that would be replaced.
func TestWrongEmbedderDoesNotStick(t *testing.T) {
	t.Parallel()
	store := open(t, nil)
	docs := folder(t, town())
	server := strictServer(t, noFault)
	corpus := modelCorpus(t)
	embed := func(c connected) (index.Result, error) {
		x, err := index.New(store, c.optionsOf(t, server, corpus))
		if err != nil {
			t.Fatal(err)
		}
		return x.Embed(t.Context(), false)
	}
	if _, err := try(t, store, connected{vectorsOnly: true, path: "none"}.optionsOf(t, server, corpus), docs); err == nil {
		t.Fatal("the wrong address was taken")
	}
	if _, err := embed(connected{vectorsOnly: true}); err != nil {
		t.Errorf("with the right address: %v", err)
	}
	run(t, store, connected{vectorsOnly: true}.optionsOf(t, server, corpus), docs)
	if _, err := embed(connected{vectorsOnly: true, vectors: "other"}); !errors.Is(err, index.ErrOtherEmbedder) {
		t.Errorf("another model after vectors were made: %v", err)
	}
	if c, err := store.Corpus(t.Context(), corpus); err != nil || c.Embedder != "model:vectors at "+server.URL() || c.Mode == "" {
		t.Errorf("the corpus has %+v, %v", c, err)
	}
}
