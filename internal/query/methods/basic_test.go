package methods_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/query/rank"
	"github.com/neorag/neorag/internal/query/retrieve"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

// TestPathsOfBasic: with an embedding model, basic fuses full text and vectors; each can be
// searched alone. The walks of ppr take the same similarity, and as in the paper that of vectors.
func TestPathsOfBasic(t *testing.T) {
	t.Parallel()
	store, sent := counted(t)
	corpus, plain := neo4jtest.Borrow(t, "model"), neo4jtest.Borrow(t, "index")
	dir := minutes(t)
	s, embedder := contractModel(t)
	indexed(t, store, index.Options{Corpus: corpus, Embedder: embedder, WithoutReports: true}, dir)
	e, err := query.New(store, query.Options{Corpus: corpus, Embedder: embedder})
	if err != nil {
		t.Fatal(err)
	}
	const text = "Which rules has the museum for lanterns?"
	ranked := func(paths ...string) []string {
		t.Helper()
		found, err := e.Retrieve(t.Context(), query.Question{Text: text, Method: "basic", Paths: paths})
		if err != nil {
			t.Fatal(err)
		}
		return keysOf(found.Chunks)
	}
	fused, byText, byVectors := ranked(), ranked("text"), ranked("vectors")
	if slices.Equal(byText, byVectors) || slices.Equal(fused, byText) || slices.Equal(fused, byVectors) || !slices.Equal(fused, ranked("vectors", "text")) {
		t.Errorf("fused %q\ntext %q\nvectors %q", fused, byText, byVectors)
	}
	for name, want := range map[string][]string{"basic": fused, "basic:vectors": byVectors, "basic:text": byText, "basic:text+vectors": fused} {
		found, err := e.Retrieve(t.Context(), query.Question{Text: text, Method: name})
		if err != nil || !slices.Equal(keysOf(found.Chunks), want) || query.CheckRetrieval(name) != nil {
			t.Errorf("%s: got %q, %v", name, keysOf(found.Chunks), err)
		}
	}
	for want, tuning := range map[*[]string]retrieve.Tuning{&fused: {"facts": 0}, &byVectors: {"facts": 0, "text": 0}} {
		found, err := e.Retrieve(t.Context(), query.Question{Text: text, Method: "ppr", Tuning: tuning})
		if got := keysOf(found.Chunks); err != nil || !slices.Equal(got, *want) {
			t.Errorf("chunks similar to the question, by ppr with %v: %v\ngot  %q\nwant %q", tuning, err, got, *want)
		}
	}
	before := sent.Load()
	if a := ask(t, e, query.Question{Text: text, Method: "basic"}); len(a.References) == 0 || sent.Load()-before > 2*mostStatements {
		t.Errorf("%d references after %d statements of two answers", len(a.References), sent.Load()-before)
	}
	for _, q := range []query.Question{{Method: "basic", Paths: []string{"smell"}}, {Method: "local", Paths: []string{"text"}}} {
		q.Text = text
		if _, err := e.Ask(t.Context(), q); !errors.Is(err, query.ErrUnknownPath) || query.CheckRetrieval(q.Method+":"+q.Paths[0]) == nil {
			t.Errorf("%s by %q: got %v, want ErrUnknownPath", q.Method, q.Paths, err)
		}
	}
	offline := indexed(t, store, index.Options{Corpus: plain, WithoutReports: true}, dir)
	if _, err := offline.Ask(t.Context(), query.Question{Text: text, Method: "basic", Paths: []string{"vectors"}}); !errors.Is(err, query.ErrNoVectors) {
		t.Errorf("vectors that no model made: %v", err)
	}
	s.Close()
	found, err := e.Retrieve(t.Context(), query.Question{Text: text, Method: "basic"})
	if err != nil || len(found.Notes) != 1 || !slices.Equal(keysOf(found.Chunks), byText) {
		t.Errorf("without the embedding model: notes %q, %v", found.Notes, err)
	}
}

func keysOf(list []rank.Scored) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = s.Key
	}
	return out
}
