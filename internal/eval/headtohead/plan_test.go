package headtohead_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/neorag/neorag/internal/eval/evalrun"
	"github.com/neorag/neorag/internal/eval/headtohead"
)

// folder writes files to a new folder.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, body := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(body), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestPlan plans three conditions on two questions, where one answer is missing: each pair is
// compared in both orders, and no two comparisons are the same cell.
func TestPlan(t *testing.T) {
	t.Parallel()
	questions := []evalrun.Question{{ID: "1", Text: "one"}, {ID: "2", Text: "two"}}
	plan := headtohead.Plan{
		Questions: questions, Conditions: []string{"a", "b", "c"}, Criteria: []string{"directness", "overall"}, Replicates: 2,
		Answer: func(condition, question string) (evalrun.Answer, bool) {
			return evalrun.Answer{Condition: condition, Question: question}, condition != "c" || question != questions[1].Key()
		},
	}
	cells, without := plan.Cells()
	if without != 2 || len(cells) != (3+1)*2*2*2 {
		t.Errorf("%d cells, %d without an answer, want %d and 2", len(cells), without, (3+1)*2*2*2)
	}
	keys, orders := map[string]bool{}, map[[2]string]int{}
	for _, c := range cells {
		keys[c.Key("judge")] = true
		orders[[2]string{c.First.Condition, c.Second.Condition}]++
		if c.First.Question != c.Question.Key() || c.Second.Question != c.Question.Key() {
			t.Errorf("the answers are not those to question %s", c.Question.ID)
		}
	}
	if len(keys) != len(cells) {
		t.Errorf("%d different cells of %d", len(keys), len(cells))
	}
	for pair, n := range orders {
		if n != orders[[2]string{pair[1], pair[0]}] {
			t.Errorf("%v: %d comparisons, and %d in the other order", pair, n, orders[[2]string{pair[1], pair[0]}])
		}
	}
}
