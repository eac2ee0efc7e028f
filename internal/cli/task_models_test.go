//go:build unix

package cli_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/testkit/fakemodel"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
	"github.com/neorag/neorag/prompts"
)

// calls returns the tasks of the requests to a server, each with the models and keys
// of its requests.
func calls(s *llmtest.Server) map[string]string {
	seen := map[string]map[string]bool{}
	for _, r := range s.Requests() {
		task := fakemodel.Task(r)
		if seen[task] == nil {
			seen[task] = map[string]bool{}
		}
		seen[task][strings.TrimSpace(r.Model+" "+strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "))] = true
	}
	out := map[string]string{}
	for task, of := range seen {
		out[task] = strings.Join(slices.Sorted(maps.Keys(of)), ", ")
	}
	return out
}

// settingsFile returns the path of a new neorag.yaml.
func settingsFile(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "neorag.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestTaskModels checks that each task uses its own model and key, and that another
// model for a task redoes only that task.
func TestTaskModels(t *testing.T) {
	t.Parallel()
	p := programFor(t, neo4jtest.Server(t), "model")
	first := llmtest.New(llmtest.Options{Handler: fakemodel.Handler, Dimension: 384})
	second := llmtest.New(llmtest.Options{Handler: fakemodel.Handler, Dimension: 384})
	t.Cleanup(first.Close)
	t.Cleanup(second.Close)
	env := p.env
	env["OPENAI_API_KEY"], env["NEORAG_API_KEY"], env["SECOND_API_KEY"], env["NEORAG_CACHE"] = openAIKey, ownKey, "of-the-second", t.TempDir()
	config := settingsFile(t, `
models:
  chat: {base_url: "`+first.URL()+`", model: general, parameters: {top_k: 7}}
  embedding: {base_url: "`+second.URL()+`", model: vectors}
  extract: {base_url: "`+second.URL()+`", model: reader, api_key_env: SECOND_API_KEY}
  report: {model: writer}
  answer: {model: speaker}
`)
	docs := folder(t, "novel", novel)
	index := func(flags ...string) (int, string) {
		first.Reset()
		second.Reset()
		code, out, errs := command(t, env, append([]string{"index", docs, "--config", config, "--quiet"}, flags...)...)
		return code, out + errs
	}
	if code, out := index(); code != 0 {
		t.Fatalf("exit %d\n%s", code, out)
	}
	if diff := cmp.Diff(map[string]string{prompts.Report: "writer " + ownKey}, only(calls(first), prompts.Report)); diff != "" {
		t.Errorf("the first server (-want +got):\n%s", diff)
	}
	for _, r := range first.Requests() {
		if task := fakemodel.Task(r); task != prompts.Report && task != prompts.Summarise {
			t.Errorf("the first server got a call to %s", task)
		}
		if fakemodel.Task(r) == prompts.Report && strings.Contains(string(r.Body), "top_k") {
			t.Error("parameters of the general model were sent to another model")
		}
	}
	got := calls(second)
	if got[prompts.Extract] != "reader of-the-second" || got[fakemodel.Embed] != "vectors" || got[prompts.Report] != "" {
		t.Errorf("the second server: %v", got)
	}

	if code, out := index("--model-report", "other"); code != 1 || !strings.Contains(out, "would redo all reports") || strings.Contains(out, "extraction") {
		t.Errorf("another model for reports: exit %d\n%s", code, out)
	}
	if code, out := index("--model-report", "other", "--yes"); code != 0 || calls(first)[prompts.Report] != "other "+ownKey || calls(second)[prompts.Extract] != "" || calls(first)[prompts.Summarise] != "" {
		t.Errorf("another model for reports, with --yes: exit %d, calls %v and %v\n%s", code, calls(first), calls(second), out)
	}
	if code, out := index("--model-report", "other", "--model-extract", "third"); code != 1 || !strings.Contains(out, "would redo the extraction of all chunks") {
		t.Errorf("another model to extract: exit %d\n%s", code, out)
	}
	if n := len(first.Requests()) + len(second.Requests()); n > 0 {
		t.Errorf("%d calls without --yes", n)
	}
	first.Reset()
	if code, _, errs := command(t, env, "query", "--method", "global", "What happened at the Harbour Museum?", "--config", config, "--quiet", "--parameter", "top_k=9"); code != 0 {
		t.Fatalf("exit %d\n%s", code, errs)
	}
	want := map[string]string{prompts.Map: "general " + ownKey, prompts.Reduce: "speaker " + ownKey}
	if diff := cmp.Diff(want, calls(first)); diff != "" {
		t.Errorf("a question (-want +got):\n%s", diff)
	}
	for _, r := range first.Requests() {
		if has := strings.Contains(string(r.Body), `"top_k":9`); has != (r.Model == "general") {
			t.Errorf("%s: parameters of the general model: %v", r.Model, has)
		}
	}
}

// only returns the entry of one task.
func only(of map[string]string, task string) map[string]string {
	return map[string]string{task: of[task]}
}

// TestKeysOfRequests checks which keys servers receive from a running program; the
// rule itself is tested in package config.
func TestKeysOfRequests(t *testing.T) {
	t.Parallel()
	p := newProgram(t, neo4jtest.Server(t))
	one := llmtest.New(llmtest.Options{Handler: fakemodel.Handler, Dimension: 384})
	two := llmtest.New(llmtest.Options{Handler: fakemodel.Handler, Dimension: 384})
	t.Cleanup(one.Close)
	t.Cleanup(two.Close)
	if code, _, errs := command(t, p.env, "index", folder(t, "novel", novel), "--offline", "--quiet"); code != 0 {
		t.Fatal(errs)
	}
	chat := "models: {chat: {base_url: \"" + one.URL() + "\", model: m"
	for _, tt := range []struct {
		name, config string
		env          map[string]string
		flags        []string
		atOne, atTwo string // keys
		refused      string
	}{
		{name: "the server's own key", config: chat + "}}", atOne: ownKey},
		{name: "a named key", config: chat + ", api_key_env: ONE_API_KEY}}", atOne: "key-of-one"},
		{name: "a named key, and another server by flag", config: chat + ", api_key_env: ONE_API_KEY}}", flags: []string{"--base-url", two.URL()}, atTwo: ownKey},
		{name: "a named key, and another server by environment", config: chat + ", api_key_env: ONE_API_KEY}}", env: map[string]string{"NEORAG_BASE_URL": two.URL()}, atTwo: ownKey},
		{name: "a server of the environment, and another by flag", env: map[string]string{"NEORAG_BASE_URL": two.URL()}, flags: []string{"--base-url", one.URL(), "--model", "m"}},
		{name: "a task elsewhere gets no key", config: chat + "}, map: {base_url: \"" + two.URL() + "\", model: m}}", atOne: ownKey},
		{name: "a task elsewhere with its own", config: chat + "}, map: {base_url: \"" + two.URL() + "\", model: m, api_key_env: TWO_API_KEY}}", atOne: ownKey, atTwo: "key-of-two"},
		{
			name: "a task's key, and its server by environment", config: chat + "}, map: {base_url: \"" + one.URL() + "\", model: m, api_key_env: ONE_API_KEY}}",
			env: map[string]string{"NEORAG_BASE_URL_MAP": two.URL()}, atOne: ownKey,
		},
		{name: "OpenAI's key for another server", config: chat + ", api_key_env: OPENAI_API_KEY}}", refused: "OPENAI_API_KEY is the key of another server"},
		{name: "OpenAI's key for a task's server", config: chat + "}, map: {base_url: \"" + two.URL() + "\", model: m, api_key_env: OPENAI_API_KEY}}", refused: "OPENAI_API_KEY is the key of another server"},
		{name: "the chat server's key for a task's", config: chat + "}, map: {base_url: \"" + two.URL() + "\", model: m, api_key_env: NEORAG_API_KEY}}", refused: "NEORAG_API_KEY is the key of another server"},
		{name: "OpenAI's key with its own address", env: map[string]string{"OPENAI_BASE_URL": two.URL(), "NEORAG_API_KEY": ""}, flags: []string{"--model", "m"}, atTwo: openAIKey},
		{name: "a key that is not set", config: chat + ", api_key_env: NO_API_KEY}}", refused: "NO_API_KEY is not set"},
		{name: "another model's server without a name", config: chat + "}, map: {base_url: \"" + two.URL() + "\"}}", refused: "give --model-map NAME"},
		{name: "a variable that holds something else", config: chat + "}}", env: map[string]string{"NEORAG_API_KEY_ENV": "NEO4J_PASSWORD"}, refused: "ending in _API_KEY"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			one.Reset()
			two.Reset()
			env := maps.Clone(p.env)
			maps.Copy(env, map[string]string{
				"OPENAI_API_KEY": openAIKey, "NEORAG_API_KEY": ownKey, "ONE_API_KEY": "key-of-one", "TWO_API_KEY": "key-of-two",
				"NEORAG_CACHE": t.TempDir(), "NEORAG_CONFIG": settingsFile(t, tt.config), "NEORAG_MODEL": "m",
			})
			maps.Copy(env, tt.env)
			code, _, errs := command(t, env, append([]string{"query", "What happened at the Harbour Museum?", "--method", "text"}, tt.flags...)...)
			if tt.refused != "" {
				if code != 2 || !strings.Contains(errs, tt.refused) || len(one.Requests())+len(two.Requests()) > 0 {
					t.Errorf("exit %d, %d calls, want none and %q\n%s", code, len(one.Requests())+len(two.Requests()), tt.refused, errs)
				}
				return
			}
			if code != 0 || len(one.Requests())+len(two.Requests()) == 0 {
				t.Fatalf("exit %d\n%s", code, errs)
			}
			for server, want := range map[*llmtest.Server]string{one: tt.atOne, two: tt.atTwo} {
				for _, r := range server.Requests() {
					if got := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "); got != want {
						t.Errorf("server %v got the key %q, want %q", server == two, got, want)
					}
				}
			}
		})
	}
}
