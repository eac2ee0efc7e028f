//go:build unix

package cli_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/testkit/fakemodel"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
	"github.com/neorag/neorag/prompts"
)

// TestEvaluation makes questions, answers them under the conditions of the GraphRAG paper, and has
// the answers compared by a judge that fails at first.
func TestEvaluation(t *testing.T) {
	t.Parallel()
	p := programFor(t, neo4jtest.Server(t), "model")
	var fails atomic.Bool
	fails.Store(true)
	server := llmtest.New(llmtest.Options{Handler: fakemodel.Handler, Dimension: 384, Fault: func(r llmtest.Request) *llmtest.Reply {
		if fails.Load() && fakemodel.Task(r) == prompts.HeadToHead && strings.Contains(r.Messages[0].Content, "Directness") {
			return &llmtest.Reply{Status: 400, Message: "this is too direct"}
		}
		return nil
	}})
	t.Cleanup(server.Close)
	p.env["NEORAG_API_KEY"], p.env["NEORAG_CACHE"] = ownKey, t.TempDir()
	run := func(want int, args ...string) string {
		t.Helper()
		code, out, errs := command(t, p.env, append(args, "--base-url", server.URL(), "--model", "simulated")...)
		if code != want {
			t.Fatalf("neorag %q: exit %d, want %d\n%s", args, code, want, errs)
		}
		return out + errs
	}
	run(0, "index", "--quiet", "--embedding-model", "vectors", folder(t, "novel", novel))

	out := run(0, "eval", "questions", "--personas", "2", "--tasks", "1", "--questions", "2")
	if !strings.Contains(out, "4 of 4 questions, 4 new") || !strings.Contains(out, "historian") {
		t.Errorf("questions:\n%s", out)
	}
	dir := filepath.Join(p.env["NEORAG_HOME"], "eval", p.corpus)
	if out = run(0, "eval", "questions", "--personas", "2", "--tasks", "1", "--questions", "2"); !strings.Contains(out, "4 of 4 questions, 0 new") {
		t.Errorf("questions again:\n%s", out)
	}

	server.Reset()
	out = run(0, "eval", "answer", "--conditions", "graphrag", "--methods", "basic:vectors")
	for _, row := range []string{"| C0 | 4 |", "| C3 | 4 |", "| TS | 4 |", "| SS | 4 |", "| basic:vectors | 4 |"} {
		if !strings.Contains(out, row) {
			t.Errorf("%q is missing in:\n%s", row, out)
		}
	}
	asked := map[string]int{}
	for _, r := range server.Requests() {
		asked[fakemodel.Task(r)]++
	}
	// The six conditions share the prompts map and reduce; only basic:vectors answers directly.
	if asked[prompts.Answer] != 4 || asked[prompts.Map] == 0 || asked[prompts.Reduce] == 0 || asked[prompts.Local] != 0 {
		t.Errorf("prompts of the conditions: %v", asked)
	}
	server.Reset()
	if out = run(0, "eval", "answer", "--conditions", "graphrag", "--methods", "basic:vectors"); !strings.Contains(out, "28 answers: 0 new") || len(server.Requests()) > 0 {
		t.Errorf("the second time, %d calls:\n%s", len(server.Requests()), out)
	}
	checkCost(t, dir)

	out = run(3, "eval", "judge", "C0", "SS", "--criteria", "directness,overall", "--replicates", "2")
	if !strings.Contains(out, "32 judgements by simulated") || !strings.Contains(out, "16 judgements failed, such as") || !strings.Contains(out, "too direct") {
		t.Errorf("failing judge:\n%s", out)
	}
	fails.Store(false)
	if out = run(0, "eval", "judge", "SS", "C0", "--criteria", "directness,overall", "--replicates", "2"); !strings.Contains(out, "16 new, 0 failed") {
		t.Errorf("judge again:\n%s", out)
	}
	if out = run(2, "eval", "judge", "SS", "C9"); !strings.Contains(out, `no condition "C9" in this evaluation: choose from C0 (`) {
		t.Errorf("an unknown condition:\n%s", out)
	}
	if out = run(3, "eval", "judge", "C0", "SS", "--replicates", "3", "--price-in", "1", "--price-out", "1", "--max-cost", "0.02"); !strings.Contains(out, "stopped: ") || !strings.Contains(out, "the budget for model calls is spent") {
		t.Errorf("a small budget:\n%s", out)
	}
	out = run(3, "eval", "answer", "--methods", "text", "--parameter", "top_p=0.5", "--price-in", "1", "--price-out", "1", "--embedding-price-in", "0", "--max-cost", "0.001")
	if !strings.Contains(out, "stopped: ") || !strings.Contains(out, " 0 failed") || !strings.Contains(out, " 4 missing") {
		t.Errorf("a small budget for answers:\n%s", out)
	}
}

// checkCost expects that an answer whose calls were in the cache reports what they took.
func checkCost(t *testing.T, dir string) {
	t.Helper()
	calls := map[string][]int{}
	body, err := os.ReadFile(filepath.Join(dir, "answers.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(body)) {
		var a struct {
			Question string
			Answer   string
			Usage    struct{ Calls int }
		}
		if err := json.Unmarshal([]byte(line), &a); err != nil {
			t.Fatal(err)
		}
		same := a.Question + a.Answer
		calls[same] = append(calls[same], a.Usage.Calls)
		if a.Usage.Calls == 0 && strings.Contains(a.Answer, "[1]") {
			t.Errorf("an answer without calls: %s", line)
		}
	}
	most := 0
	for _, of := range calls {
		most = max(most, len(of))
	}
	if most < 2 {
		t.Error("no two conditions have the same answer: the cache is not tested")
	}
}

// TestEvaluationIsLocked expects that two commands do not write to one evaluation.
func TestEvaluationIsLocked(t *testing.T) {
	t.Parallel()
	caught, release := make(chan struct{}), make(chan struct{})
	var once atomic.Bool
	server := llmtest.New(llmtest.Options{Handler: fakemodel.Handler, Fault: func(llmtest.Request) *llmtest.Reply {
		if once.CompareAndSwap(false, true) {
			close(caught)
			<-release
		}
		return nil
	}})
	t.Cleanup(server.Close)
	env := map[string]string{"NEORAG_HOME": t.TempDir(), "NEORAG_CACHE": t.TempDir(), "NEORAG_API_KEY": ownKey}
	args := []string{"eval", "questions", "--description", "Letters about a museum.", "--base-url", server.URL(), "--model", "m", "--quiet"}
	first := make(chan int)
	go func() {
		code, _, _ := command(t, env, args...)
		first <- code
	}()
	<-caught
	code, _, errs := command(t, env, args...)
	if code != 1 || !strings.Contains(errs, "another process writes to this evaluation") || !strings.Contains(errs, "--run") {
		t.Errorf("exit %d\n%s", code, errs)
	}
	close(release)
	if diff := cmp.Diff(0, <-first); diff != "" {
		t.Errorf("exit of the first (-want +got):\n%s", diff)
	}
}
