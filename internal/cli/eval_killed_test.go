//go:build unix

package cli_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/eval/evalrun"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/testkit/fakemodel"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

// evalQuestions are questions about the letters.
const evalQuestions = `{"id": 1, "question": "Who opened the Harbour Museum?"}
{"id": 2, "question": "Who kept the books of the Harbour Museum?"}
{"id": 3, "question": "What did Mary Quill ask about the fire?"}
`

// TestKilledEvaluations kills `eval answer` and `eval judge` while they wait for an answer of the
// model, when some cells are there and others are not. The next run makes those that are missing,
// no cell is there twice, and the cells are those of an uninterrupted run.
func TestKilledEvaluations(t *testing.T) {
	t.Parallel()
	conn := neo4jtest.Server(t)
	p := newProgram(t, conn)
	p.ok("index", "--offline", "--quiet", "--without", "reports", letters(t))
	calls := &callsByKey{counts: map[string]int{}, hooks: map[string]func(int){}}
	server := llmtest.New(llmtest.Options{Handler: fakemodel.Handler, Fault: calls.count})
	t.Cleanup(server.Close)
	questions := writeFile(t, "questions.jsonl", evalQuestions)
	whole, answered := t.TempDir(), ""
	for _, step := range []struct {
		file  string
		count int
		args  []string
	}{
		{"answers", 9, []string{"eval", "answer", questions, "--methods", "text,basic,text cite=records"}},
		{"judgements", 36, []string{"eval", "judge", "--criteria", "directness,overall", "--replicates", "1"}},
	} {
		run := func(p *program, key, dir string, concurrency string) []string {
			p.env["NEORAG_CACHE"], p.env["NEORAG_API_KEY"] = filepath.Join(dir, "cache"), key
			return append(slices.Clone(step.args), "--run", dir, "--base-url", server.URL(), "--model", "simulated", "--concurrency", concurrency, "--json")
		}
		p.ok(run(p, "whole "+step.file, whole, "8")...)
		all := calls.of("whole " + step.file)
		for _, inFlight := range []int{1, 6} {
			concurrency := strconv.Itoa(inFlight)
			key := step.file + concurrency
			dir, trap := t.TempDir(), newAmbush()
			if answered != "" {
				if err := os.CopyFS(dir, os.DirFS(answered)); err != nil {
					t.Fatal(err)
				}
			}
			calls.onCall(key, func(n int) {
				if n == all*2/3 {
					awaitCell(t, dir, step.file)
					trap.hold()
				}
			})
			args := run(p, key, dir, concurrency)
			if !trap.kill(p, args...) {
				t.Fatalf("%s: the run ended before call %d of %d", key, all*2/3, all)
			}
			made := cellsOf(t, dir, step.file)
			if len(made) == 0 || len(made) >= step.count {
				t.Errorf("%s: killed with %d of %d cells: the test must kill between cells", key, len(made), step.count)
			}
			var summary struct{ Cells evalrun.Count }
			if err := json.Unmarshal([]byte(p.ok(args...).stdout), &summary); err != nil {
				t.Fatal(err)
			}
			if want := (evalrun.Count{Cells: step.count, Made: step.count - len(made)}); summary.Cells != want {
				t.Errorf("%s: %+v, want %+v", key, summary.Cells, want)
			}
			// What was in flight when the process was killed is asked again.
			if n := calls.of(key); n > all+inFlight {
				t.Errorf("%s: %d calls of both runs, want at most %d", key, n, all+inFlight)
			}
			if diff := cmp.Diff(cellsOf(t, whole, step.file), cellsOf(t, dir, step.file)); diff != "" {
				t.Errorf("%s (-uninterrupted +killed):\n%s", key, diff)
			}
		}
		answered = copyOfRun(t, whole)
	}
}

// TestKilledRetrieval kills `eval retrieval --run` while it waits for a model that embeds or rewrites a
// question. The next run searches for what is missing, no cell is there twice, and the cells are
// those of an uninterrupted run.
func TestKilledRetrieval(t *testing.T) {
	t.Parallel()
	p := programFor(t, neo4jtest.Server(t), "model")
	calls := &callsByKey{counts: map[string]int{}, hooks: map[string]func(int){}}
	server := llmtest.New(llmtest.Options{Handler: fakemodel.Handler, Dimension: 384, Fault: calls.count})
	t.Cleanup(server.Close)
	run := func(key string, args ...string) []string {
		p.env["NEORAG_CACHE"], p.env["NEORAG_API_KEY"] = t.TempDir(), key
		return append(args, "--base-url", server.URL(), "--model", "simulated")
	}
	p.ok(run("index", "index", "--quiet", "--without", "reports", "--embedding-model", "vectors", letters(t))...)
	questions := writeFile(t, "questions.jsonl", strings.ReplaceAll(evalQuestions, `?"`, `?", "documents": ["first", "second.txt"]`))
	measure := []string{"eval", "retrieval", questions, "--methods", "basic:vectors,hyde", "--json", "--run"}
	whole := t.TempDir()
	p.ok(run("whole", append(slices.Clone(measure), whole)...)...)
	all := calls.of("whole")
	for _, at := range []int{2, all - 1} {
		key, dir, trap := "killed "+strconv.Itoa(at), t.TempDir(), newAmbush()
		calls.onCall(key, func(n int) {
			if n == at {
				awaitCell(t, dir, "searches")
				trap.hold()
			}
		})
		args := run(key, append(slices.Clone(measure), dir)...)
		if !trap.kill(p, args...) {
			t.Fatalf("the run ended before call %d of %d", at, all)
		}
		made := cellsOf(t, dir, "searches")
		if len(made) == 0 || len(made) >= 6 {
			t.Errorf("killed at call %d of %d with %d of 6 cells: the test must kill between cells", at, all, len(made))
		}
		for _, resumed := range []int{len(made), 6} {
			var result struct{ Resumed, Failed int }
			if err := json.Unmarshal([]byte(p.ok(args...).stdout), &result); err != nil {
				t.Fatal(err)
			}
			if result.Resumed != resumed || result.Failed != 0 {
				t.Errorf("killed at call %d: %+v, want %d resumed", at, result, resumed)
			}
		}
		if n := calls.of(key); n != all+1 { // the one that waited is asked again
			t.Errorf("killed at call %d: %d calls of all runs, want %d", at, n, all+1)
		}
		if diff := cmp.Diff(cellsOf(t, whole, "searches"), cellsOf(t, dir, "searches")); diff != "" {
			t.Errorf("killed at call %d (-uninterrupted +killed):\n%s", at, diff)
		}
	}
}

// awaitCell waits until a file of an evaluation has a cell: with several calls in flight the
// first one may not be written yet.
func awaitCell(t *testing.T, dir, file string) {
	t.Helper()
	waitUntil(t, func() bool {
		body, err := os.ReadFile(filepath.Join(dir, file+".jsonl"))
		return err == nil && bytes.ContainsRune(body, '\n')
	}, func() string { return "no cell in " + file })
}

// copyOfRun returns a folder with the files of an evaluation, without its cache of model answers.
func copyOfRun(t *testing.T, dir string) string {
	t.Helper()
	to := t.TempDir()
	files, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		body, err := os.ReadFile(file)
		if err == nil {
			err = os.WriteFile(filepath.Join(to, filepath.Base(file)), body, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return to
}

// cellsOf returns the complete lines of a file of an evaluation, sorted, without what differs from
// run to run. A cell that is there twice fails the test.
func cellsOf(t *testing.T, dir, file string) []string {
	t.Helper()
	body, err := os.ReadFile(filepath.Join(dir, file+".jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	body = body[:bytes.LastIndexByte(body, '\n')+1] // a killed process may leave a part of a line
	var cells []string
	seen := map[string]bool{}
	for line := range strings.Lines(string(body)) {
		var cell map[string]any
		if err := json.Unmarshal([]byte(line), &cell); err != nil {
			t.Fatalf("%s: %v in %q", file, err, line)
		}
		id, _ := json.Marshal([]any{cell["condition"], cell["question"], cell["first"], cell["second"], cell["criterion"], cell["replicate"]})
		if seen[string(id)] {
			t.Errorf("%s: a cell is there twice: %s", file, line)
		}
		seen[string(id)] = true
		for _, time := range []string{"seconds", "ms_neo4j", "ms_go"} {
			delete(cell, time)
		}
		rest, err := json.Marshal(cell)
		if err != nil {
			t.Fatal(err)
		}
		cells = append(cells, string(rest))
	}
	slices.Sort(cells)
	return cells
}
