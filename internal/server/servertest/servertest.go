// Package servertest provides tests of the server and its protocols with services over indexed corpora in a
// real Neo4j. A test package calls neo4jtest.Main in its TestMain.
package servertest

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/llm/openai"
	"github.com/neorag/neorag/internal/query"
	_ "github.com/neorag/neorag/internal/query/methods" // registers them
	"github.com/neorag/neorag/internal/query/synth"
	"github.com/neorag/neorag/internal/server/service"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

// Model is the name of the model of a service.
const Model = "simulated"

// Store opens the Neo4j of the tests.
func Store(tb testing.TB) *neo4jstore.Store {
	tb.Helper()
	conn := neo4jtest.Server(tb)
	store, err := neo4jstore.Open(tb.Context(), neo4jstore.Config{URI: conn.URI, Username: conn.User, Password: conn.Password})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = store.Close(context.WithoutCancel(tb.Context())) })
	return store
}

// Index indexes documents, by name, without a model, in a corpus that only this test uses, and returns its name.
func Index(tb testing.TB, documents map[string]string) string {
	tb.Helper()
	dir := filepath.Join(tb.TempDir(), "documents")
	for name, text := range documents {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o750); err != nil {
			tb.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			tb.Fatal(err)
		}
	}
	corpus := neo4jtest.Borrow(tb, "index")
	run(tb, corpus, dir)
	return corpus
}

var shared struct {
	once   sync.Once
	corpus string
	done   bool
}

// Sample returns a corpus with the first two staves of A Christmas Carol, indexed without a model, which the tests of a package share
// and only read. Examples is the folder of the project's examples.
func Sample(tb testing.TB, examples string) string {
	tb.Helper()
	shared.once.Do(func() {
		shared.corpus = neo4jtest.Keep(tb, "index")
		dir := filepath.Join(tb.TempDir(), "christmas-carol")
		if err := os.MkdirAll(dir, 0o750); err != nil {
			tb.Fatal(err)
		}
		for _, name := range []string{"stave-1.txt", "stave-2.txt"} {
			text, err := os.ReadFile(filepath.Join(examples, "christmas-carol", name))
			if err == nil {
				err = os.WriteFile(filepath.Join(dir, name), text, 0o600)
			}
			if err != nil {
				tb.Fatal(err)
			}
		}
		run(tb, shared.corpus, dir)
		shared.done = true
	})
	if !shared.done {
		tb.Fatalf("another test could not index %s", shared.corpus)
	}
	return shared.corpus
}

func run(tb testing.TB, corpus, path string) {
	tb.Helper()
	x, err := index.New(Store(tb), index.Options{Corpus: corpus})
	if err != nil {
		tb.Fatal(err)
	}
	if _, err := x.Run(tb.Context(), []string{path}); err != nil {
		tb.Fatal(err)
	}
}

// Service returns a service that shows some corpora, the first of which is the default. Unless model is nil it
// writes the answers.
func Service(tb testing.TB, model *llmtest.Server, corpora ...string) *service.Service {
	tb.Helper()
	store := Store(tb)
	options := service.Options{Store: store, Default: corpora[0], Corpora: corpora}
	var chat *synth.Model
	if model != nil {
		client, err := openai.New(openai.Config{BaseURL: model.URL(), Model: Model})
		if err != nil {
			tb.Fatal(err)
		}
		tb.Cleanup(client.Close)
		provider := llm.New(llm.Config{Provider: client.Chat()})
		chat, options.Model = &synth.Model{Map: provider, Answer: provider}, Model
	}
	options.Engine = func(_ context.Context, corpora []string) (*query.Engine, error) {
		var engines []*query.Engine
		for _, corpus := range corpora {
			e, err := query.New(store, query.Options{Corpus: corpus, Model: chat})
			if err != nil {
				return nil, err
			}
			engines = append(engines, e)
		}
		return query.Federate(engines...)
	}
	return service.New(options)
}
