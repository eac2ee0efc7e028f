package index_test

import (
	"errors"
	"testing"

	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/llm/openai"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
	"github.com/neorag/neorag/internal/text/textproc"
)

// embedder starts a server with an embedding model. The function it returns makes
// embedders that use the model and share a cache.
func embedder(t *testing.T, name string, dimension int) (*llmtest.Server, func() *index.ModelEmbedder) {
	t.Helper()
	server := llmtest.New(llmtest.Options{Dimension: dimension})
	t.Cleanup(server.Close)
	client, err := openai.New(openai.Config{BaseURL: server.URL(), Model: "none", EmbeddingModel: name})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	cache := &llm.Cache{Dir: t.TempDir()}
	return server, func() *index.ModelEmbedder {
		return &index.ModelEmbedder{BatchEmbedder: llm.NewEmbedder(llm.EmbedConfig{Provider: client.Embedder(), Cache: cache, Retry: quick})}
	}
}

// TestReembed changes the embedder of a corpus to one of another dimension, and kills
// that run once. The result equals indexing with the new embedder, and no chat model is
// called.
func TestReembed(t *testing.T) {
	neo4jtest.ChangesIndexes(t)
	store := open(t, nil)
	docs := folder(t, town())
	name, whole := neo4jtest.BorrowAs(t, "64", "96"), neo4jtest.Borrow(t, "96")
	server, with := model(t, llmtest.Options{Dimension: 64}, "")
	run(t, store, with(options(name)), docs)
	other, vectors := embedder(t, "other", 96)
	o := with(options(whole))
	o.Embedder = vectors()
	run(t, store, o, docs)
	chats, asked := server.Counts().Chats, other.Counts().Requests

	embed := func(store *neo4jstore.Store, again, yes bool) (index.Result, error) {
		x, err := index.New(store, index.Options{Corpus: name, Embedder: vectors(), AllowRedo: yes})
		if err != nil {
			t.Fatal(err)
		}
		return x.Embed(t.Context(), again)
	}
	if _, err := embed(store, false, true); !errors.Is(err, index.ErrOtherEmbedder) {
		t.Errorf("another embedder without reembed: got %v", err)
	}
	if _, err := embed(store, true, false); !errors.Is(err, index.ErrOtherMode) {
		t.Errorf("vectors of a model without AllowRedo: got %v", err)
	}
	if _, err := embed(open(t, (&killer{left: 6}).fault), true, true); !errors.Is(err, errKilled) {
		t.Fatalf("killed: got %v", err)
	}
	pending, err := store.Pending(t.Context(), name)
	c, cerr := store.Corpus(t.Context(), name)
	if err != nil || cerr != nil || pending["embed"] == 0 || c.Embedder != "model:other" || c.Dimension != 96 || c.Mode != "simulated, other" {
		t.Errorf("after a kill: pending %v, %v, corpus %+v, %v", pending, err, c, cerr)
	}
	if r, err := embed(store, false, false); err != nil || r.Writes == 0 || r.Exit != 0 {
		t.Errorf("the run after it: got %+v, %v", r, err)
	}
	same(t, dump(t, store, whole, ""), dump(t, store, name, ""))
	if err := store.EnsureCorpus(t.Context(), name, 96); err != nil {
		t.Errorf("the indexes: %v", err)
	}
	if r, err := embed(store, true, true); err != nil || r.Writes != 0 {
		t.Errorf("again by the same embedder: got %+v, %v", r, err)
	}
	if server.Counts().Chats != chats || other.Counts().Requests > asked+1 {
		t.Errorf("%d more chat calls and %d more embedding calls, want none that the cache can answer", server.Counts().Chats-chats, other.Counts().Requests-asked)
	}
	run(t, store, o, docs) // nothing to do
	o.Corpus = name
	if r := run(t, store, o, docs); r.Writes != 0 {
		t.Errorf("an index run with the new embedder wrote %d times", r.Writes)
	}
}

// TestReembedWithoutReports replaces the vectors of a corpus that has no reports: nothing is left to
// do.
func TestReembedWithoutReports(t *testing.T) {
	neo4jtest.ChangesIndexes(t)
	store := open(t, nil)
	name, docs := corpus(t, store), folder(t, town())
	o := options(name)
	o.WithoutReports = true
	run(t, store, o, docs)
	_, vectors := embedder(t, "vectors", textproc.Dimension)
	o = options(name)
	o.Embedder = vectors()
	x, err := index.New(store, o)
	if err != nil {
		t.Fatal(err)
	}
	if r, err := x.Embed(t.Context(), true); err != nil || r.Exit != 0 || len(r.Failures) > 0 || r.Writes == 0 {
		t.Errorf("got %+v, %v; want vectors and no failure", r, err)
	}
}
