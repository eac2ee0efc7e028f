//go:build unix

package cli_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/query/route"
	"github.com/neorag/neorag/internal/testkit/fakemodel"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
	"github.com/neorag/neorag/prompts"
)

const rerankKey = "key-of-the-reranker-0123"

// TestRerankAndAuto asks with a model, a reranking model, and the method auto.
func TestRerankAndAuto(t *testing.T) {
	t.Parallel()
	p := newProgram(t, neo4jtest.Server(t))
	server := llmtest.New(llmtest.Options{Handler: fakemodel.Handler, Dimension: 384})
	t.Cleanup(server.Close)
	var broken atomic.Bool
	var asked atomic.Int64
	reranker := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		if got := r.Header.Get("Authorization"); got != "Bearer "+rerankKey {
			t.Errorf("the reranker got %q", got)
		}
		if broken.Load() {
			http.Error(w, "no", http.StatusServiceUnavailable)
			return
		}
		var q struct{ Documents []string }
		if err := json.NewDecoder(r.Body).Decode(&q); err != nil {
			t.Error(err)
		}
		type result struct {
			Index int     `json:"index"`
			Score float64 `json:"relevance_score"`
		}
		out := map[string][]result{}
		for i := range q.Documents { // the last is the best
			out["results"] = append(out["results"], result{i, float64(i)})
		}
		_ = json.NewEncoder(w).Encode(out)
	}))
	t.Cleanup(reranker.Close)
	p.env["NEORAG_CACHE"], p.env["RERANK_API_KEY"], p.env["OPENAI_API_KEY"] = t.TempDir(), rerankKey, openAIKey
	docs := folder(t, "novel", novel)
	with := []string{"--base-url", server.URL(), "--model", "simulated", "--quiet"}
	if code, _, errs := command(t, p.env, append([]string{"index", docs}, with...)...); code != 0 {
		t.Fatal(errs)
	}
	ask := func(args ...string) query.Answer {
		t.Helper()
		code, out, errs := command(t, p.env, append([]string{"query", "--json", "What happened to Tobias Reed at the Harbour Museum?"}, args...)...)
		var a query.Answer
		if err := json.Unmarshal([]byte(out), &a); err != nil || code != 0 {
			t.Fatalf("neorag %q: exit %d, %v\n%s%s", args, code, err, out, errs)
		}
		return a
	}
	with = append(with, "--method", "local")
	plain := ask(with...)
	shown := ""
	for _, r := range server.Requests() {
		if fakemodel.Task(r) == prompts.Local {
			shown = fakemodel.Material(r)
		}
	}
	for _, record := range []string{"Entity 1: ", "Report 1: ", "Source 1: ", "Source 2: "} {
		if !strings.Contains(shown, record) {
			t.Errorf("the model is not shown %q:\n%s", record, shown)
		}
	}
	if len(plain.References) == 0 || plain.Usage.Calls != 1 {
		t.Errorf("local with a model: %+v", plain)
	}
	rerank := slices.Concat(with, []string{"--rerank-base-url", reranker.URL, "--rerank-api-key-env", "RERANK_API_KEY"})
	if a := ask(rerank...); asked.Load() != 1 || len(a.Notes) > 0 || sources(a)[0] != sources(plain)[1] {
		t.Errorf("reranked %d times: sources %v after %v, notes %v", asked.Load(), sources(a), sources(plain), a.Notes)
	}
	broken.Store(true)
	if a := ask(rerank...); len(a.Notes) != 1 || !strings.Contains(a.Notes[0], "status 503") || sources(a)[0] != sources(plain)[0] {
		t.Errorf("with a broken reranker: sources %v, notes %v", sources(a), a.Notes)
	}
	for _, r := range server.Requests() {
		if got := r.Header.Get("Authorization"); got != "" {
			t.Fatalf("a key was sent to another host: %q", got)
		}
	}
	checkAuto(t, p, with[:len(with)-1])
}

// sources returns the chunks of a context, best first.
func sources(a query.Answer) []string {
	for _, s := range a.Context {
		if s.Kind == "Chunk" {
			return s.Keys
		}
	}
	return nil
}

// checkAuto checks which method auto chooses, and its explanation.
func checkAuto(t *testing.T, p *program, with []string) {
	t.Helper()
	for _, tt := range []struct {
		question, method, by string
		args                 []string
	}{
		{"What are the main themes?", "global", "rules", slices.Concat(with, []string{"auto"})},
		{"Who is Tobias Reed?", "local", "rules", slices.Concat(with, []string{"auto"})},
		{"When did Clara Hale open the museum?", "fused", "rules", []string{"--offline", "--method", "auto"}},
		{"When did Clara Hale open the museum?", "local", "model", slices.Concat(with, []string{"auto", "--route", "model"})},
		{"When did Clara Hale open the museum?", "fused", "rules", []string{"--offline", "--method", "auto", "--route", "model"}},
	} {
		code, out, errs := command(t, p.env, append(append([]string{"query", "--json"}, tt.args...), tt.question)...)
		var a struct {
			Method string
			Choice route.Choice
		}
		if err := json.Unmarshal([]byte(out), &a); err != nil || code != 0 {
			t.Fatalf("%q: exit %d, %v\n%s%s", tt.question, code, err, out, errs)
		}
		if a.Method != "auto" || a.Choice.Method != tt.method || a.Choice.By != tt.by || a.Choice.Why == "" {
			t.Errorf("%q with %q: chose %+v, want %s by %s", tt.question, tt.args, a.Choice, tt.method, tt.by)
		}
	}
	code, out, errs := command(t, p.env, "query", "--offline", "--method", "auto", "--explain", "Who is Tobias Reed?")
	for _, want := range []string{"auto chose local: it asks about Tobias Reed", "known entities Tobias Reed", "reports true"} {
		if code != 0 || !strings.Contains(strings.Join(strings.Fields(out), " "), want) {
			t.Errorf("--explain: exit %d, no %q in\n%s%s", code, want, out, errs)
		}
	}
}
