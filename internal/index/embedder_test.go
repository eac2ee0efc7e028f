package index_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/llm/openai"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/testkit/faulttest"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
	"github.com/neorag/neorag/internal/text/textproc"
)

func TestEmbedderModel(t *testing.T) {
	t.Parallel()
	for stored, want := range map[string][2]string{
		"hashed-1":                          {"", ""},
		"model:vectors":                     {"vectors", ""},
		"model:vectors at http://a.test/v1": {"vectors", "http://a.test/v1"},
		"model:look at me at http://a.test": {"look at me", "http://a.test"},
	} {
		if model, server := index.EmbedderModel(stored), index.EmbedderServer(stored); model != want[0] || server != want[1] {
			t.Errorf("%q: got the model %q at %q, want %q", stored, model, server, want)
		}
	}
}

// TestVectorsOfAnotherServer moves an embedding model to another server: a run that would
// mix vectors of two servers asks first, and then makes all again. A corpus that does not
// name the server of its vectors keeps them.
func TestVectorsOfAnotherServer(t *testing.T) {
	t.Parallel()
	store := open(t, nil)
	docs := folder(t, town())
	server, vectors := embedder(t, "vectors", textproc.Dimension)
	at := func(name, address string) index.Options {
		o := options(name)
		e := vectors()
		e.Server = address
		o.Embedder = e
		return o
	}
	stored := func(name string) neo4jstore.Corpus {
		c, err := store.Corpus(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	name := modelCorpus(t)
	const one, two = "http://one.test/v1", "http://two.test/v1"
	run(t, store, at(name, one), docs)
	if c := stored(name); c.Embedder != "model:vectors at "+one || c.Mode != "offline, vectors" {
		t.Errorf("got %+v", c)
	}
	if r := run(t, store, at(name, one), docs); r.Writes != 0 {
		t.Errorf("the same server: %d writes", r.Writes)
	}
	if _, err := try(t, store, at(name, two), docs); !errors.Is(err, index.ErrOtherMode) || !strings.Contains(err.Error(), "all vectors (vectors is now at "+two+", and was at "+one+")") {
		t.Errorf("another server: %v", err)
	}
	o := at(name, two)
	o.AllowRedo = true
	if r := run(t, store, o, docs); r.Writes == 0 || stored(name).Embedder != "model:vectors at "+two {
		t.Errorf("another server with AllowRedo: %d writes, %+v", r.Writes, stored(name))
	}

	old := modelCorpus(t)
	run(t, store, at(old, ""), docs)
	server.Reset()
	if r := run(t, store, at(old, two), docs); r.Writes != 0 || server.Counts().Requests != 0 {
		t.Errorf("a corpus that names no server: %d writes, %d requests", r.Writes, server.Counts().Requests)
	}
	x, err := index.New(store, at(old, two))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := x.Embed(t.Context(), false); err != nil {
		t.Errorf("embed a corpus that names no server: %v", err)
	}
	o = at(old, two)
	o.AllowRedo = true
	if x, err = index.New(store, o); err != nil {
		t.Fatal(err)
	}
	if r, err := x.Embed(t.Context(), true); err != nil || r.Writes == 0 || stored(old).Embedder != "model:vectors at "+two {
		t.Errorf("embedded again: %+v, %v, %+v", r, err, stored(old))
	}
}

// TestVectorsOfAnotherLength lets an embedding model of the same name return longer
// vectors: a run that would mix them asks first, and then makes all again, and so does
// Embed.
func TestVectorsOfAnotherLength(t *testing.T) {
	neo4jtest.ChangesIndexes(t)
	store := open(t, nil)
	docs := folder(t, town())
	name, whole := neo4jtest.BorrowAs(t, "64", "96"), neo4jtest.Borrow(t, "96")
	_, short := embedder(t, "vectors", 64)
	server, long := embedder(t, "vectors", 96)
	with := func(name string, vectors func() *index.ModelEmbedder) index.Options {
		o := options(name)
		o.Embedder = vectors()
		return o
	}
	run(t, store, with(name, short), docs)
	change(t, docs)
	if _, err := try(t, store, with(name, long), docs); !errors.Is(err, index.ErrOtherMode) || !strings.Contains(err.Error(), "all vectors (vectors now makes vectors of 96 numbers, and made 64)") {
		t.Errorf("vectors of another length: %v", err)
	}
	embed := func(again, yes bool) (index.Result, error) {
		o := with(name, long)
		o.AllowRedo = yes
		x, err := index.New(store, o)
		if err != nil {
			t.Fatal(err)
		}
		return x.Embed(t.Context(), again)
	}
	if _, err := embed(true, false); !errors.Is(err, index.ErrOtherMode) {
		t.Errorf("embed again without AllowRedo: %v", err)
	}
	if _, err := embed(true, true); err != nil {
		t.Errorf("embed again: %v", err)
	}
	if r := run(t, store, with(name, long), docs); r.Writes == 0 {
		t.Error("the changed documents were not indexed")
	}
	run(t, store, with(whole, long), docs)
	same(t, dump(t, store, whole, "evidence"), dump(t, store, name, "evidence"))
	checkIndexes(t, store, name, "embedded again")
	if c, err := store.Corpus(t.Context(), name); err != nil || c.Dimension != 96 {
		t.Errorf("corpus %+v, %v, want 96 dimensions", c, err)
	}
	server.Reset()
	if r := run(t, store, with(name, long), docs); r.Writes != 0 || server.Counts().Requests != 0 {
		t.Errorf("a run without work: %d writes, %d requests", r.Writes, server.Counts().Requests)
	}
}

// resized is an embedding model whose vectors have another length.
type resized struct {
	llm.Embedder
	dimension int
}

func (r resized) Dimension() int { return 0 }

func (r resized) Embed(_ context.Context, texts []string) ([][]float32, llm.Usage, error) {
	out := make([][]float32, len(texts))
	for i, text := range texts {
		out[i] = llmtest.Vector(text, r.dimension)
	}
	return out, llm.Usage{Calls: 1}, nil
}

// TestCacheHasVectorsOfAnotherLength lets an embedding model return longer vectors than
// those in the cache, from which a run takes the dimension: the run asks first, and with
// AllowRedo makes all vectors again.
func TestCacheHasVectorsOfAnotherLength(t *testing.T) {
	faulttest.Nightly(t, "changes indexes as TestVectorsOfAnotherLength does")
	neo4jtest.ChangesIndexes(t)
	store := open(t, nil)
	docs := folder(t, town())
	name, whole := neo4jtest.BorrowAs(t, "64", "96"), neo4jtest.Borrow(t, "96")
	server := llmtest.New(llmtest.Options{})
	t.Cleanup(server.Close)
	client, err := openai.New(openai.Config{BaseURL: server.URL(), Model: "none", EmbeddingModel: "vectors"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	cache := &llm.Cache{Dir: t.TempDir()}
	with := func(name string, dimension int) index.Options {
		o := options(name)
		o.Embedder = &index.ModelEmbedder{BatchEmbedder: llm.NewEmbedder(llm.EmbedConfig{Provider: resized{client.Embedder(), dimension}, Cache: cache, Retry: quick})}
		return o
	}
	run(t, store, with(name, 64), docs)
	change(t, docs)
	for range 2 { // the second run takes the new dimension from the cache
		if _, err := try(t, store, with(name, 96), docs); !errors.Is(err, index.ErrOtherMode) || !strings.Contains(err.Error(), "vectors of 96 numbers, and made 64") {
			t.Errorf("vectors of another length: %v", err)
		}
	}
	o := with(name, 96)
	o.AllowRedo = true
	if r := run(t, store, o, docs); r.Writes == 0 || r.Exit != 0 {
		t.Errorf("with AllowRedo: %+v", r)
	}
	run(t, store, with(whole, 96), docs)
	same(t, dump(t, store, whole, "evidence"), dump(t, store, name, "evidence"))
}

// TestVectorsTooLong uses an embedding model whose vectors no index holds: the first one, of a
// probe, tells that, and no document is sent.
func TestVectorsTooLong(t *testing.T) {
	t.Parallel()
	store := open(t, nil)
	docs := folder(t, town())
	for dimension, ok := range map[int]bool{neo4jstore.MaxDimension: true, neo4jstore.MaxDimension + 1: false} {
		server, vectors := embedder(t, "long", dimension)
		err := index.Probe(t.Context(), vectors())
		if (err == nil) != ok {
			t.Errorf("%d numbers: %v", dimension, err)
		}
		if ok {
			continue
		}
		o := options(neo4jtest.Corpus(t))
		o.Embedder = vectors()
		if _, err := try(t, store, o, docs); err == nil || !strings.Contains(err.Error(), "model long makes vectors of 4097 numbers") || !strings.Contains(err.Error(), "at most 4096") {
			t.Errorf("index with vectors of %d numbers: %v", dimension, err)
		}
		for _, r := range server.Requests() {
			if strings.Contains(strings.Join(r.Input, " "), "Clara") || len(r.Input) != 1 {
				t.Errorf("texts were sent: %q", r.Input)
			}
		}
	}
}

// TestDimensionIsFoundMeanwhile has a new corpus extracted before the embedding model answers for
// the first time. A run that ends before the dimension is known is continued.
func TestDimensionIsFoundMeanwhile(t *testing.T) {
	t.Parallel()
	store := open(t, nil)
	docs := folder(t, town())
	extracting := make(chan struct{})
	var first sync.Once
	var refused, repaired atomic.Bool
	_, with := model(t, llmtest.Options{Dimension: textproc.Dimension, Fault: func(r llmtest.Request) *llmtest.Reply {
		if !r.Embeds() {
			first.Do(func() { close(extracting) })
			return nil
		}
		if repaired.Load() {
			return nil
		}
		select {
		case <-extracting:
		case <-t.Context().Done():
		case <-time.After(20 * time.Second):
			t.Error("no chunk was extracted while the embedding model was asked for the dimension")
		}
		refused.Store(true)
		return &llmtest.Reply{Status: http.StatusNotFound, Message: "no such model"}
	}}, "")
	name, whole := modelCorpus(t), modelCorpus(t)
	if _, err := try(t, store, with(options(name)), docs); err == nil || !refused.Load() {
		t.Fatalf("the embedding model was refused: %v, error %v", refused.Load(), err)
	}
	if c, err := store.Corpus(t.Context(), name); err != nil || c.Dimension != 0 {
		t.Errorf("after the refusal: %+v, %v, want no dimension", c, err)
	}
	repaired.Store(true)
	x, err := index.New(store, with(options(name)))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := x.Embed(t.Context(), false); err != nil {
		t.Errorf("embed: %v", err)
	}
	if c, err := store.Corpus(t.Context(), name); err != nil || c.Dimension != textproc.Dimension {
		t.Errorf("after embed: %+v, %v, want %d dimensions", c, err, textproc.Dimension)
	}
	for _, n := range []string{name, whole} {
		run(t, store, with(options(n)), docs)
		if c, err := store.Corpus(t.Context(), n); err != nil || c.Dimension != textproc.Dimension {
			t.Errorf("got %+v, %v, want %d dimensions", c, err, textproc.Dimension)
		}
	}
	same(t, dump(t, store, whole, "evidence"), dump(t, store, name, "evidence"))
	checkIndexes(t, store, name, "continued")
}
