//go:build unix

package cli_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/eval/evalrun"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

// smallEvaluation is the folder of an evaluation.
var smallEvaluation = filepath.Join("..", "eval", "evalreport", "testdata", "small")

// evaluationOf returns the folder of an evaluation with one question and one answer.
func evaluationOf(t *testing.T, corpus string) string {
	t.Helper()
	f, err := evalrun.Create(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	q := evalrun.Question{ID: "1", Text: "Who kept the books?"}
	c := evalrun.Condition{Method: "basic", Corpus: corpus}
	a := evalrun.Answer{Condition: c.Key(), Question: q.Key(), ContextTokens: 40, Usage: evalrun.Usage{Calls: 1, TokensIn: 90}}
	for _, err := range []error{f.Questions.Add(q), f.Conditions.Add(c), f.Answers.Add(a)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return f.Dir
}

// changedEvaluation returns a copy of the small evaluation in which a pattern is replaced.
func changedEvaluation(t *testing.T, file, pattern, replacement string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(smallEvaluation)); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(dir, file)
	body, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	changed := regexp.MustCompile(pattern).ReplaceAll(body, []byte(replacement))
	if string(changed) == string(body) {
		t.Fatalf("%s has no %q", file, pattern)
	}
	if err := os.WriteFile(name, changed, 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestEvalReportCommands runs the commands that read the folder of an evaluation, without a server.
func TestEvalReportCommands(t *testing.T) {
	t.Parallel()
	page := filepath.Join(t.TempDir(), "report.html")
	expensive := changedEvaluation(t, "answers.jsonl", `"tokens_in":`, `"tokens_in":9`)
	unjudged := changedEvaluation(t, "verdicts.jsonl", `"judge":"judge-1"`, `"judge":"judge-2"`)
	broken := changedEvaluation(t, "answers.jsonl", `^{`, `[`)
	env := map[string]string{"NEORAG_HOME": t.TempDir()}
	for _, tt := range []struct {
		args      []string
		code      int
		want, not string
	}{
		{[]string{"report", "--run", smallEvaluation}, 0, "## Pairwise comparisons", "state before"},
		{[]string{"report", "--run", smallEvaluation, "--all"}, 0, "basic (state before)", ""},
		{[]string{"report", "--run", smallEvaluation, "--table", "winrates,qa"}, 0, "## Accuracy", "## Claims"},
		{[]string{"report", "--run", smallEvaluation, "--table", "lightrag", "--against", "global level=0"}, 0, "## Win rates of basic and global level=0", ""},
		{[]string{"report", "--run", smallEvaluation, "--html", page, "--table", "claims"}, 0, "## Claims", ""},
		{[]string{"report", "--run", smallEvaluation, "--html", "-"}, 0, "<!DOCTYPE html>", "\n## "},
		{[]string{"report", "--run", smallEvaluation, "--html", "-", "--json"}, 2, "leave out --json", ""},
		{[]string{"report", "--run", smallEvaluation, "--against", "none"}, 2, "there are: basic, global level=0", ""},
		{[]string{"report", "--run", smallEvaluation, "--table", "wins"}, 2, "choose from conditions, winrates", ""},
		{[]string{"report", "--run", t.TempDir()}, 2, "`neorag eval questions` or `neorag eval answer` begins one", ""},
		{[]string{"report", "--run", broken}, 1, "answers.jsonl: line 1", ""},
		{[]string{"report", smallEvaluation}, 2, "with --run; it takes no arguments", ""},
		{[]string{"report", "--corpus", "none"}, 2, filepath.Join("eval", "none"), ""},
		{[]string{"cost", "--run", smallEvaluation}, 0, "Costs of the index are left out: no Neo4j server", ""},
		{[]string{"cost", "--run", smallEvaluation}, 0, "| global level=2 | 7 | 3.0 | 20,663 | 120 |", ""},
		{[]string{"cost", smallEvaluation}, 2, "with --run; it takes no arguments", ""},
		{[]string{"compare", smallEvaluation, smallEvaluation}, 0, "0 better, 0 worse, 0 missing", "| condition |"},
		{[]string{"compare", smallEvaluation, smallEvaluation, "--all"}, 0, "| basic | answered |  | same | 8 |", ""},
		{[]string{"compare", smallEvaluation, expensive}, 1, "| basic | tokens |  | **worse** | 8 |", ""},
		{[]string{"compare", expensive, smallEvaluation}, 0, "| basic | tokens |  | **better** | 8 |", ""},
		{[]string{"compare", smallEvaluation, unjudged}, 1, "| basic | accuracy | judge-1 | **missing", ""},
		{[]string{"compare", smallEvaluation, unjudged, "--partial"}, 0, "0 better, 0 worse", ""},
		{[]string{"compare", smallEvaluation}, 2, "give two folders", ""},
		{[]string{"compare", smallEvaluation, t.TempDir()}, 2, "no evaluation in", ""},
		{[]string{"compare", smallEvaluation, broken}, 2, "answers.jsonl: line 1", ""},
		{[]string{"compare", smallEvaluation, smallEvaluation, "--cost-margin", "-1"}, 2, "must not be negative", ""},
	} {
		code, out, errs := command(t, env, append([]string{"eval"}, tt.args...)...)
		if all := out + errs; code != tt.code || !strings.Contains(all, tt.want) || tt.not != "" && strings.Contains(all, tt.not) {
			t.Errorf("eval %q: exit %d, want %d with %q and without %q:\n%.3000s", tt.args, code, tt.code, tt.want, tt.not, all)
		}
	}
	body, err := os.ReadFile(page)
	if err != nil || !strings.Contains(string(body), "<h2>Claims</h2>") || !strings.Contains(string(body), "<svg") {
		t.Errorf("page: %v\n%.500s", err, body)
	}
}

// TestEvalCostOfIndex expects the costs of the index and the share of the corpus that a question
// reads, of a corpus on the server.
func TestEvalCostOfIndex(t *testing.T) {
	t.Parallel()
	p := newProgram(t, neo4jtest.Server(t))
	p.ok("index", "--offline", letters(t), "--quiet", "--without", "reports")
	run := evaluationOf(t, p.corpus)
	var got struct {
		Questions []struct {
			ShareOfCorpus float64 `json:"share_of_corpus"`
		} `json:"questions"`
		Indexes []struct {
			Tokens, Runs int
		} `json:"indexes"`
	}
	if err := json.Unmarshal([]byte(p.ok("eval", "cost", "--run", run, "--json").stdout), &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Indexes) != 1 || got.Indexes[0].Runs != 1 || got.Indexes[0].Tokens == 0 || got.Questions[0].ShareOfCorpus != 40/float64(got.Indexes[0].Tokens) {
		t.Errorf("%+v", got)
	}
	if out := p.ok("eval", "cost", "--run", run).stdout; !strings.Contains(out, "## Cost of the index") || !strings.Contains(out, "## Share of the corpus") {
		t.Error(out)
	}
}
