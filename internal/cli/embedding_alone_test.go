//go:build unix

package cli_test

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

// TestEmbeddingServerAlone indexes and asks with a server that only embeds: vectors are made
// by its model, all else without one, and it is asked for nothing else. What needs a chat
// model says so.
func TestEmbeddingServerAlone(t *testing.T) {
	t.Parallel()
	p := programFor(t, neo4jtest.Server(t), "model")
	env := p.env
	env["NEORAG_CACHE"] = t.TempDir()
	server := llmtest.New(llmtest.Options{Dimension: 384})
	t.Cleanup(server.Close)
	with := []string{"--embedding-base-url", server.URL(), "--embedding-model", "vectors"}
	docs := folder(t, "novel", novel)
	indexed := func() (r index.Result) {
		t.Helper()
		code, out, errs := command(t, env, append([]string{"index", docs, "--quiet", "--json"}, with...)...)
		if err := json.Unmarshal([]byte(out), &r); err != nil || code != 0 {
			t.Fatalf("index: exit %d, %v\n%s%s", code, err, out, errs)
		}
		return r
	}
	if r := indexed(); r.Calls == 0 || r.Writes == 0 {
		t.Errorf("the first run: %d calls, %d writes", r.Calls, r.Writes)
	}
	if r := indexed(); r.Calls != 0 || r.Writes != 0 {
		t.Errorf("a second run: %d calls, %d writes", r.Calls, r.Writes)
	}
	if code, out, _ := command(t, env, "status"); code != 0 || !strings.Contains(out, "(offline, vectors)") {
		t.Errorf("status: exit %d\n%s", code, out)
	}
	questions := filepath.Join(folder(t, "questions", map[string]string{
		"q.jsonl": `{"id": "1", "question": "Who kept the books of the Harbour Museum?", "documents": ["one.txt"]}`,
	}), "q.jsonl")
	for _, method := range []string{"basic", "local", "fused", "light"} {
		server.Reset()
		env["NEORAG_CACHE"] = t.TempDir()
		if a := askModel(t, env, method, with...); len(a.References) == 0 || a.Usage.Calls == 0 {
			t.Errorf("%s: %d references, %d calls", method, len(a.References), a.Usage.Calls)
		}
		if len(server.Requests()) == 0 {
			t.Errorf("%s did not embed the question", method)
		}
	}
	if code, out, errs := command(t, env, append([]string{"eval", "retrieval", questions, "--methods", "basic:vectors"}, with...)...); code != 0 {
		t.Errorf("eval retrieval: exit %d\n%s%s", code, out, errs)
	}
	for _, req := range server.Requests() {
		if !req.Embeds() {
			t.Errorf("the server was asked for %s", req.Path)
		}
	}
	for _, tt := range []struct {
		name string
		args []string
		code int
		says string
	}{
		{"a method that needs a chat model", append([]string{"query", "Who?", "--method", "hyde"}, with...), 2, "needs a chat model"},
		{"answers that need a judge", append([]string{"eval", "judge", "--run", t.TempDir()}, with...), 2, "cannot be done without one"},
		{"a server of chat models without a model", []string{"query", "Who?", "--base-url", server.URL()}, 2, "--embedding-base-url"},
		{"no name of the model", append([]string{"query", "Who?"}, with[:2]...), 2, "--embedding-model NAME"},
		{"a task on a server that is not named", append([]string{"query", "Who?", "--model-answer", "m"}, with...), 2, "--base-url"},
	} {
		if code, out, errs := command(t, env, tt.args...); code != tt.code || !strings.Contains(errs, tt.says) {
			t.Errorf("%s: exit %d, want %d and %q\n%s%s", tt.name, code, tt.code, tt.says, out, errs)
		}
	}
}
