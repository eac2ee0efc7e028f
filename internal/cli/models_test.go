//go:build unix

package cli_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/neorag/neorag/internal/cli"
	"github.com/neorag/neorag/internal/eval"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/testkit/fakemodel"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
	"github.com/neorag/neorag/prompts"
)

const (
	openAIKey = "sk-of-openai-0123456789"
	ownKey    = "sk-of-this-server-0123"
)

// command runs the program within this process.
func command(t *testing.T, env map[string]string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = cli.Main(t.Context(), cli.Env{
		Args: append([]string{"neorag"}, args...), Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs,
		Getenv: func(name string) string { return env[name] },
	})
	if all := out.String() + errs.String(); strings.Contains(all, openAIKey) || strings.Contains(all, ownKey) {
		t.Errorf("neorag %q shows a key:\n%s", args, all)
	}
	return code, out.String(), errs.String()
}

// novel is a short story in two documents.
var novel = map[string]string{
	"one.txt": "Clara Hale opened the Harbour Museum in Port Ellen in 1921. Tobias Reed kept the books of the Harbour Museum. Clara Hale met Tobias Reed in Glasgow.",
	"two.txt": "Mary Quill came to Port Ellen in 1934. Mary Quill asked Tobias Reed about the fire at the Harbour Museum. Tobias Reed told Mary Quill about Victor Lang.",
}

// TestModelCommands indexes and asks with a server other than OpenAI's.
func TestModelCommands(t *testing.T) {
	t.Parallel()
	conn := neo4jtest.Server(t)
	p := programFor(t, conn, "model")
	var mapFails, answersIdly atomic.Bool
	server := llmtest.New(llmtest.Options{Handler: fakemodel.Handler, Dimension: 384, Fault: func(r llmtest.Request) *llmtest.Reply {
		if mapFails.Load() && fakemodel.Task(r) == prompts.Map && strings.Contains(fakemodel.Material(r), "Clara Hale opened") {
			return &llmtest.Reply{Status: 400, Message: "not this window"}
		}
		if answersIdly.Load() && fakemodel.Task(r) == prompts.Answer {
			return &llmtest.Reply{Text: "The whole town was poor in those hard winters [Data: Sources (1.1)]."}
		}
		return nil
	}})
	t.Cleanup(server.Close)
	env := p.env
	env["OPENAI_API_KEY"], env["NEORAG_CACHE"] = openAIKey, t.TempDir()
	docs := folder(t, "novel", novel)
	with := []string{"--base-url", server.URL(), "--model", "simulated", "--embedding-model", "vectors", "--quiet"}
	code, out, errs := command(t, env, append([]string{"index", docs, "--price-in", "1", "--json"}, with...)...)
	var r struct {
		Calls   int64 `json:"calls"`
		Tokens  int64 `json:"tokens_in"`
		Cost    float64
		Reports struct {
			References int `json:"dropped_references"`
		}
	}
	// The simulated model cites a row that does not exist in each finding.
	if json.Unmarshal([]byte(out), &r) != nil || code != 0 || r.Calls == 0 || r.Tokens == 0 || r.Cost == 0 || r.Reports.References == 0 {
		t.Fatalf("exit %d\n%s%s", code, out, errs)
	}
	for _, req := range server.Requests() {
		if got := req.Header.Get("Authorization"); got != "" {
			t.Fatalf("OpenAI's key was sent to another host: %q", got)
		}
	}
	if code, out, _ := command(t, env, "status"); code != 0 || !strings.Contains(out, "(simulated, vectors)") {
		t.Errorf("status: exit %d\n%s", code, out)
	}
	if code, _, errs := command(t, env, "index", docs, "--offline"); code != 1 || !strings.Contains(errs, "would redo") || !strings.Contains(errs, "--yes") {
		t.Errorf("offline on a corpus that a model indexed: exit %d\n%s", code, errs)
	}

	server.Reset()
	env["NEORAG_API_KEY"] = ownKey
	for _, method := range []string{"global", "text", "basic"} {
		a := askModel(t, env, method, with...)
		if len(a.References) == 0 || !strings.Contains(a.Answer, "[1]") || strings.Contains(a.Answer, "Data:") || strings.Contains(a.Answer, "777") || a.Usage.Calls == 0 {
			t.Errorf("%s: %+v", method, a)
		}
		if method != "basic" && a.Dangling != 1 {
			t.Errorf("%s: %d dangling references, want the one that the model made up", method, a.Dangling)
		}
		for _, ref := range a.References {
			if ref.Quote == "" || !strings.Contains(strings.Join([]string{novel["one.txt"], novel["two.txt"]}, "\n"), ref.Quote) {
				t.Errorf("%s: the quote of reference %+v is not in a document", method, ref)
			}
		}
	}
	embeds := 0
	for _, req := range server.Requests() {
		if got := req.Header.Get("Authorization"); got != "Bearer "+ownKey {
			t.Errorf("the server's own key is not sent: %q", got)
		}
		if req.Embeds() {
			embeds++
		}
	}
	if embeds != 1 {
		t.Errorf("%d questions were embedded, want that of basic", embeds)
	}
	mapFails.Store(true)
	env["NEORAG_CACHE"] = t.TempDir()
	a := askModel(t, env, "text", append(with, "--map-tokens", "5")...)
	if len(a.Notes) != 2 || !strings.Contains(a.Notes[0], "lacks 1 of 2 sources, ") || !strings.Contains(a.Notes[1], " that the model wrote w") || len(a.References) == 0 {
		t.Errorf("a map call that fails: %+v", a)
	}
	code, out, errs = command(t, env, append([]string{"query", "What of the Harbour Museum?", "--method", "text"}, with...)...)
	if code != 0 || !strings.Contains(out, "lacks 1 of 2 sources, ") || !strings.Contains(out, "not this window") {
		t.Errorf("a source that makes its call fail: exit %d\n%s%s", code, out, errs)
	}
	if code, out, _ := command(t, env, "query", "--offline", "Who opened the Harbour Museum?"); code != 0 || !strings.Contains(out, "[1]") {
		t.Errorf("a question without a model: exit %d\n%s", code, out)
	}
	checkJudge(t, env, with)
	checkCiteRecords(t, env, server, with)
	answersIdly.Store(true)
	checkCheckQuotes(t, env, with)
}

// checkJudge has the model judge the quotes of an answer.
func checkJudge(t *testing.T, env map[string]string, with []string) {
	t.Helper()
	a, err := json.Marshal(askModel(t, env, "basic", with...))
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "answers.json")
	if err := os.WriteFile(file, a, 0o600); err != nil {
		t.Fatal(err)
	}
	code, out, errs := command(t, env, append([]string{"eval", "evidence", "--judge", file}, slices.Concat(with[:4], []string{"--json"})...)...)
	var r eval.Evidence
	if err := json.Unmarshal([]byte(out), &r); err != nil || code != 0 || !r.Judged || len(r.Methods) != 1 {
		t.Fatalf("eval evidence --judge: exit %d, %v\n%s%s", code, err, out, errs)
	}
	// The simulated model repeats sentences, and judges by the words that both have.
	if m := r.Methods[0]; m.Supported != 1 || m.Partly != 0 || m.Quoted != 1 {
		t.Errorf("got %+v", m)
	}
}

// checkCiteRecords: with --cite records the sentences that a model reads have no numbers.
func checkCiteRecords(t *testing.T, env map[string]string, server *llmtest.Server, with []string) {
	t.Helper()
	for cites, numbered := range map[string]bool{"sentences": true, "records": false} {
		env["NEORAG_CACHE"] = t.TempDir()
		a := askModel(t, env, "basic", append(slices.Clone(with), "--cite", cites)...)
		shown := fakemodel.Material(server.Requests()[len(server.Requests())-1])
		if got := strings.Contains(shown, "\n1.1 "); got != numbered || len(a.References) == 0 {
			t.Errorf("--cite %s: %d references, and the model reads\n%s", cites, len(a.References), shown)
		}
	}
}

// checkCheckQuotes: with --check-quotes a quote that supports nothing of its statement is removed, by
// one call more.
func checkCheckQuotes(t *testing.T, env map[string]string, with []string) {
	t.Helper()
	env["NEORAG_CACHE"] = t.TempDir()
	a := askModel(t, env, "basic", with...)
	env["NEORAG_CACHE"] = t.TempDir()
	b := askModel(t, env, "basic", append(slices.Clone(with), "--check-quotes")...)
	if a.Unsupported != 0 || len(a.Citations) != 1 || b.Unsupported != 1 || len(b.Citations) != 0 || b.Uncited != 1 || b.Usage.Calls != a.Usage.Calls+1 {
		t.Errorf("without --check-quotes %+v, with it %+v", a, b)
	}
}

func askModel(t *testing.T, env map[string]string, method string, flags ...string) query.Answer {
	t.Helper()
	code, out, errs := command(t, env, append([]string{"query", "What happened at the Harbour Museum?", "--json", "--method", method}, flags...)...)
	var a query.Answer
	if err := json.Unmarshal([]byte(out), &a); err != nil || code != 0 {
		t.Fatalf("%s: exit %d, %v\n%s%s", method, code, err, out, errs)
	}
	return a
}

// TestAnotherServerOfTheEmbeddingModel asks and indexes with a server that gives its
// embedding model the name of the one that made the vectors.
func TestAnotherServerOfTheEmbeddingModel(t *testing.T) {
	t.Parallel()
	p := programFor(t, neo4jtest.Server(t), "model")
	env := p.env
	env["NEORAG_CACHE"] = t.TempDir()
	docs := folder(t, "novel", novel)
	with := func(command ...string) []string {
		server := llmtest.New(llmtest.Options{Handler: fakemodel.Handler, Dimension: 384})
		t.Cleanup(server.Close)
		return append(command, "--base-url", server.URL(), "--model", "simulated", "--embedding-model", "vectors")
	}
	first := with()
	if code, out, errs := command(t, env, append([]string{"index", docs}, first...)...); code != 0 {
		t.Fatalf("exit %d\n%s%s", code, out, errs)
	}
	if code, _, errs := command(t, env, append([]string{"query", "--method", "basic", "Who opened it?"}, first...)...); code != 0 || strings.Contains(errs, "embed --again") {
		t.Errorf("the same server: exit %d\n%s", code, errs)
	}
	code, _, errs := command(t, env, with("query", "--method", "basic", "Who opened it?")...)
	if code != 0 || !strings.Contains(errs, "were made by vectors at "+first[1]) || !strings.Contains(errs, "embed --again") {
		t.Errorf("a question at another server: exit %d\n%s", code, errs)
	}
	if code, _, errs := command(t, env, with("index", docs)...); code != 1 || !strings.Contains(errs, "would redo all vectors (vectors is now at ") || !strings.Contains(errs, "--yes") {
		t.Errorf("indexing with another server: exit %d\n%s", code, errs)
	}
}

// TestModelFlags checks flags that contradict each other, without any server.
func TestModelFlags(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "map.md"), []byte("{{question}}"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		env  map[string]string
		args string
		want string
	}{
		{nil, "--model x", "set OPENAI_API_KEY"},
		{nil, "--base-url http://localhost:1/v1", "give --model NAME"},
		{nil, "--base-url nowhere --model x", "not a URL"},
		{nil, "--base-url https://api.openai.com/v1", "set OPENAI_API_KEY"},
		{map[string]string{"OPENAI_API_KEY": openAIKey}, "--offline --model x", "--offline uses no model"},
		{nil, "--base-url http://user:" + ownKey + "@localhost/v1 --model x", "only host and path"},
	} {
		code, _, errs := command(t, tt.env, append([]string{"query", "what"}, strings.Fields(tt.args)...)...)
		if code != 2 || !strings.Contains(errs, tt.want) {
			t.Errorf("%s: exit %d, %s, want %q", tt.args, code, errs, tt.want)
		}
	}
}
