package methods_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/neorag/neorag/internal/llm/rerank"
	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/query/synth"
	"github.com/neorag/neorag/internal/testkit/fakemodel"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
	"github.com/neorag/neorag/prompts"
)

// rerankServer prefers texts that contain preferred, and fails while broken is set.
func rerankServer(t *testing.T) (client *rerank.Client, preferred *atomic.Value, broken *atomic.Bool) {
	t.Helper()
	preferred, broken = &atomic.Value{}, &atomic.Bool{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var asked struct{ Documents []string }
		if err := json.NewDecoder(r.Body).Decode(&asked); err != nil || broken.Load() {
			http.Error(w, "out of order", http.StatusServiceUnavailable)
			return
		}
		results := []map[string]any{}
		for i, text := range asked.Documents {
			score := 0.
			if strings.Contains(text, preferred.Load().(string)) {
				score = 1
			}
			results = append(results, map[string]any{"index": i, "relevance_score": score})
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"results": results})
	}))
	t.Cleanup(server.Close)
	client, err := rerank.New(rerank.Config{BaseURL: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return client, preferred, broken
}

// TestRerankEveryMethod: a reranker acts on every search, and on what every method that ranks
// chunks shows a model. When it fails, the order of the search stays, and a note says so.
func TestRerankEveryMethod(t *testing.T) {
	t.Parallel()
	store := open(t)
	corpus := neo4jtest.Borrow(t, "artifacts")
	plain := indexed(t, store, contractOptions(corpus), minutes(t))
	reranker, preferred, broken := rerankServer(t)
	s, _ := contractModel(t)
	with, err := query.New(store, query.Options{Corpus: corpus, Reranker: reranker})
	if err != nil {
		t.Fatal(err)
	}
	writing, err := query.New(store, query.Options{Corpus: corpus, Reranker: reranker, Model: &synth.Model{Map: s.chat, Answer: s.chat}})
	if err != nil {
		t.Fatal(err)
	}
	const text = "What does the museum say about the budget?"
	for _, method := range offlineRetrieval() {
		broken.Store(false)
		q := query.Question{Text: text, Method: method}
		before, err := plain.Retrieve(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		// Some methods find only a few documents: the last is to come first.
		last := before.Documents[len(before.Documents)-1].Key
		preferred.Store(heading(t, last))
		after, err := with.Retrieve(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		if len(before.Documents) < 2 || after.Documents[0].Key != last || len(before.Documents) != len(after.Documents) || len(before.Chunks) != len(after.Chunks) {
			t.Errorf("%s: %s of %d comes first, reranked %s of %d", method, before.Documents[0].Key, len(before.Documents), after.Documents[0].Key, len(after.Documents))
		}
		broken.Store(true)
		failed, err := with.Retrieve(t.Context(), q)
		if err != nil || len(failed.Notes) != 1 || !slices.Equal(failed.Documents, before.Documents) {
			t.Errorf("%s without its reranker: notes %q, %v", method, failed.Notes, err)
		}
	}
	broken.Store(false)
	preferred.Store("Meeting 7")
	for _, m := range query.Methods() {
		if m.Maps {
			continue
		}
		s.Reset()
		if _, err := writing.Ask(t.Context(), query.Question{Text: text, Method: m.Name}); err != nil {
			t.Fatal(err)
		}
		first := ""
		for _, r := range s.Requests() {
			if _, sources, ok := strings.Cut(fakemodel.Material(r), "Source 1: "); ok && first == "" && fakemodel.Task(r) != prompts.Keywords {
				first, _, _ = strings.Cut(sources, "\n")
			}
		}
		if !strings.HasPrefix(first, "Meeting 7") {
			t.Errorf("%s: the first source that the model is shown is %q", m.Name, first)
		}
	}
}

// heading returns the beginning of a document of minutes, by its key.
func heading(t *testing.T, key string) string {
	t.Helper()
	if strings.HasSuffix(key, "/rules.md") {
		return "# Rules"
	}
	_, month, ok := strings.Cut(key, "/2026-")
	n, err := strconv.Atoi(strings.TrimSuffix(month, "-10.md"))
	if !ok || err != nil {
		t.Fatalf("%s is no document of minutes", key)
	}
	return fmt.Sprintf("# Meeting %d\n", n)
}
