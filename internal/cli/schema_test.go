//go:build unix

package cli_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/neorag/neorag/internal/cli"
	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/testkit/fakemodel"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

// checkSchema checks one JSON value against a schema.
func checkSchema(t *testing.T, s *jsonschema.Resolved, what, text string) {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Errorf("%s: %v in %.300q", what, err, text)
		return
	}
	if err := s.Validate(v); err != nil {
		t.Errorf("%s: %v in %.300s", what, err, text)
	}
}

// TestJSONSchemas checks what commands print with --json against the schemas of their types.
func TestJSONSchemas(t *testing.T) {
	t.Parallel()
	p := programFor(t, neo4jtest.Server(t), "artifacts")
	docs := letters(t)
	used := map[string]bool{}
	check := func(name string, args ...string) {
		t.Helper()
		used[name] = true
		code, out, errs := command(t, p.env, append(args, "--json")...)
		if code != 0 {
			t.Errorf("neorag %q: exit %d\n%s", args, code, errs)
		}
		checkSchema(t, cli.StrictSchema(t, name), "neorag "+strings.Join(args, " "), out)
	}
	check("estimate", "index", "--offline", docs, "--dry-run", "--with", "sentences")
	check("index", "index", "--offline", docs, "--quiet", "--with", strings.Join(index.ArtifactNames(), ","))
	server := llmtest.New(llmtest.Options{Handler: fakemodel.Handler})
	t.Cleanup(server.Close)
	p.env["NEORAG_API_KEY"], p.env["NEORAG_CACHE"], p.env["NEORAG_CALLS"] = ownKey, t.TempDir(), filepath.Join(t.TempDir(), "calls.jsonl")
	for _, m := range query.Methods() {
		model := []string{"--offline"}
		if m.NeedsModel {
			model = []string{"--base-url", server.URL(), "--model", "simulated"}
		}
		check("query", append([]string{"query", "--method", m.Name, "Who kept the books of the Harbour Museum?"}, model...)...)
		check("trace", "trace", "1")
	}
	for _, spec := range []string{"entity:Tobias Reed", "document:letters/first.txt", "relationship:Clara Hale — Tobias Reed", "community:C0_0"} {
		check("trace", "trace", spec)
	}
	check("context", "query", "--offline", "--context", "--method", "local", "Who kept the books of the Harbour Museum?")
	check("query", "query", "--offline", "--method", "global", "--dynamic", "Who kept the books of the Harbour Museum?")
	turns := filepath.Join(t.TempDir(), "turns.jsonl")
	for _, q := range []string{"Who kept the books of the Harbour Museum?", "Where did he go?"} {
		check("query", "query", "--offline", "--method", "basic", "--history", turns, q)
	}
	for _, args := range [][]string{{}, {"C0_0"}, {"--level", "0"}, {"--tree"}, {"--export", filepath.Join(t.TempDir(), "pages")}} {
		check("report", append([]string{"report"}, args...)...)
	}
	for _, args := range [][]string{{}, {"--aliases"}, {"--merge", "Clara Hale", "Tobias Reed"}, {"--split", "Clara Hale"}} {
		check("entities", append([]string{"entities"}, args...)...)
	}
	check("sizes", "query", "--dry-run")
	check("eval", "eval", "retrieval", "--offline", writeFile(t, "questions.jsonl", `{"id": 1, "question": "Who kept the books?", "type": "who", "documents": ["letters/first.txt"]}`))
	searches := filepath.Join(t.TempDir(), "searches")
	check("eval", "eval", "retrieval", "--offline", "--run", searches, "--methods", "basic,local", writeFile(t, "questions.jsonl", `{"id": 1, "question": "Who kept the books?", "type": "who", "documents": ["letters/first.txt"]}`))
	check("evaluation", "eval", "report", "--run", searches)
	check("compare", "eval", "compare", searches, searches)
	check("qa", "eval", "qa", "--offline", writeFile(t, "answers.jsonl", `{"id": 1, "question": "Who kept the books?", "answer": "Tobias Reed"}`))
	answer := writeFile(t, "answer.json", p.ok("query", "--offline", "--method", "basic", "--json", "Who kept the books of the Harbour Museum?").stdout)
	check("evidence", "eval", "evidence", "--offline", answer)
	checkAnswersOfRun(t, p, server.URL(), check)
	model := []string{"--run", t.TempDir(), "--base-url", server.URL(), "--model", "simulated"}
	check("eval-questions", append([]string{"eval", "questions", "--personas", "1", "--tasks", "1", "--questions", "2"}, model...)...)
	check("eval-answer", append([]string{"eval", "answer", "--methods", "basic,text,global level=0"}, model...)...)
	check("eval-judge", append([]string{"eval", "judge", "--replicates", "1"}, model...)...)
	check("evaluation", "eval", "report", "--run", smallEvaluation)
	check("compare", "eval", "compare", smallEvaluation, smallEvaluation)
	check("cost", "eval", "cost", "--run", evaluationOf(t, p.corpus))
	check("cluster", "cluster", writeFile(t, "edges.txt", "a b\nb c\nc a\n"))
	check("status", "status", "--corpus", p.corpus)
	check("methods", "methods")
	check("version", "version")
	check("cypher", "cypher", "entities/neighbourhood")
	check("cypher", "cypher", "MATCH (n:Entity___corpus__) RETURN n, n.embedding AS v", "--limit", "2")
	check("cypher", "cypher", "--explain", "overview/counts")
	check("cypher", "cypher", "--list")
	check("doctor", "doctor")
	check("doctor", "doctor", "--graph", "--corpus", p.corpus)
	check("cache", "cache")
	check("cache", "cache", "check")
	check("cache", "cache", "prune", "--older-than", "1h")
	mine := filepath.Join(t.TempDir(), "prompts")
	for _, args := range [][]string{{}, {"show", "report"}, {"export", mine}, {"check", mine}} {
		check("prompts", append([]string{"prompts"}, args...)...)
	}
	check("tune", "tune", "-o", mine, "--base-url", server.URL(), "--model", "simulated", docs)
	check("init", "init", "--file", filepath.Join(t.TempDir(), "neorag.yaml"))
	check("down", "down", "--data", t.TempDir())
	own := writeFile(t, "neorag.yaml", "server: {data: d}\n")
	check("trust", "trust", "--show", own)
	check("trust", "trust", own)
	check("trust", "trust", "--revoke", own)
	checkExport(t, p)
	used["export"] = true
	exported := [2]string{filepath.Join(t.TempDir(), "old.jsonl"), filepath.Join(t.TempDir(), "new.jsonl")}
	p.ok("export", "-o", exported[0])
	p.ok("export", "-o", exported[1], "--part", "evidence")
	check("diff", "diff", exported[0], exported[1])
	checkErrors(t, p)
	used["error"] = true
	bare := neo4jtest.Corpus(t) // a corpus without indexes, so that its removal invalidates no plans of other tests
	p.cypher("CREATE (:Corpus {key: $corpus}) CREATE (:Document {key: $corpus + '/letter', corpus: $corpus})", map[string]any{"corpus": bare})
	check("remove", "remove", "--corpus", bare, "--yes")
	for _, line := range readLines(t, p.env["NEORAG_CALLS"]) {
		used["calls"] = true
		checkSchema(t, cli.StrictSchema(t, "calls"), "--calls", line)
	}
	for _, name := range cli.JSONDocuments() {
		if !used[name] {
			t.Errorf("nothing is checked against schema %s", name)
		}
	}
}

// checkAnswersOfRun checks what commands print of the answers of an evaluation: by rules, and as the
// simulated model judges, also when its verdicts are there already.
func checkAnswersOfRun(t *testing.T, p *program, url string, check func(name string, args ...string)) {
	t.Helper()
	set := writeFile(t, "set.json", `[{"q": "Who kept the books?", "a": "Tobias Reed", "t": "who"}, {"q": "Where is it?", "t": "null"}]`)
	check("eval-import", "eval", "import", set, "--question", "q", "--answer", "a", "--type", "t")
	run := filepath.Join(t.TempDir(), "run")
	questions := writeFile(t, "questions.jsonl", p.ok("eval", "import", set, "--question", "q", "--answer", "a", "--type", "t").stdout)
	p.ok("eval", "answer", "--offline", "--run", run, "--methods", "basic,fused", questions)
	model := []string{"--base-url", url, "--model", "simulated"}
	check("eval-claims", "eval", "claims", "--offline", "--run", run)
	check("qa", "eval", "qa", "--run", run)
	check("eval-evidence", "eval", "evidence", "--run", run)
	p.ok(append([]string{"eval", "judge", "--run", run}, model...)...)
	for range 2 {
		check("eval-claims", append([]string{"eval", "claims", "--run", run}, model...)...)
		check("qa", append([]string{"eval", "qa", "--run", run, "--judge"}, model...)...)
		check("eval-evidence", append([]string{"eval", "evidence", "--run", run, "--judge"}, model...)...)
	}
	for file, want := range map[string]int{"claims": 8, "verdicts": 8} { // of 4 answers, by rules and by the model; correct and evidence
		body, err := os.ReadFile(filepath.Join(run, file+".jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Count(string(body), "\n"); got != want {
			t.Errorf("%d %s, want %d: each once", got, file, want)
		}
	}
}

// writeFile returns the path of a new file with that text.
func writeFile(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func checkExport(t *testing.T, p *program) {
	t.Helper()
	code, out, errs := command(t, p.env, "export")
	if code != 0 || strings.Count(out, "\n") < 20 {
		t.Errorf("export: exit %d\n%s", code, errs)
	}
	s := cli.StrictSchema(t, "export")
	for line := range strings.Lines(out) {
		checkSchema(t, s, "export", line)
	}
}

func checkErrors(t *testing.T, p *program) {
	t.Helper()
	for _, args := range [][]string{{"query", "--method", "none", "who"}, {"query"}, {"index", "/nowhere"}, {"trace", "99"}, {"nothing"}} {
		code, out, errs := command(t, p.env, append(args, "--json")...)
		if code == 0 || out != "" {
			t.Errorf("neorag %q: exit %d, %s", args, code, out)
		}
		lines := strings.Split(strings.TrimSpace(errs), "\n")
		checkSchema(t, cli.StrictSchema(t, "error"), fmt.Sprintf("neorag %q", args), lines[len(lines)-1])
	}
}
