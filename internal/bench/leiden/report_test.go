package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestMedian(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		values []float64
		want   float64
	}{{[]float64{3}, 3}, {[]float64{5, 1, 2}, 2}, {[]float64{4, 1, 2, 100}, 3}} {
		if got := median(test.values); got != test.want {
			t.Errorf("median of %v: got %v, want %v", test.values, got, test.want)
		}
	}
}

// A row of which only the named parts matter.
func timed(graph, engine, task string, workers int, ms, q float64) row {
	return row{Graph: graph, Nodes: 20_000, Edges: 200_000, Engine: engine, Task: task, Workers: workers, Ms: ms, verdict: verdict{Modularity: q}}
}

func TestFigures(t *testing.T) {
	t.Parallel()
	good := table{
		timed("kg15k", ours, taskFast, 1, 4, 0.851), timed("kg15k", "igraph", taskFlat, 1, 29.4, 0.8539),
		timed("kg15k", ours, taskBest, 1, 8, 0.8540), timed("kg15k", ours, taskHierarchyFast, 1, 15, 0.8510),
		timed("kg15k", ours, taskHierarchy, 1, 40, 0.8540), timed("kg15k", "graspologic-native", taskHierarchy, 1, 90, 0.8514),
	}
	for _, f := range good.figures() {
		if !f.Holds {
			t.Errorf("%s: got %s, want it to hold", f.What, f.Found)
		}
	}
	bad := append(table(nil), good...)
	bad[0].Ms, bad[2].Ms, bad[2].Modularity, bad[3].Ms, bad[3].Disconnected = 5, 15, 0.85, 19, 1
	held := 0
	for _, f := range bad.figures() {
		if f.Must == noBar {
			continue
		}
		if f.Holds {
			t.Errorf("%s: got %s, want it not to hold", f.What, f.Found)
		}
		held++
	}
	if want := len(good.figures()); held != want-2 || held != 5 {
		t.Errorf("got %d and %d figures, want 5 and two more without a bar", want, held)
	}
}

func TestUpdate(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "doc.md")
	r := report{Size: "small", Rows: table{timed("kg15k", ours, taskFast, 1, 4, 0.5)}, Versions: map[string]string{"igraph": "1", "Go": "2"}, Missing: []string{"leidenalg: why"}}
	for range 2 { // what was written is replaced
		if _, err := os.Stat(path); err != nil {
			if err := os.WriteFile(path, []byte("before\n"+opening+"old\n"+closing+"after\n"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if err := update(path, r.markdown()); err != nil {
			t.Fatal(err)
		}
	}
	body, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if want := "before\n" + opening + "\n" + r.markdown() + "\n" + closing + "after\n"; string(body) != want {
		t.Errorf("file (-want +got):\n%s", cmp.Diff(want, string(body)))
	}
	for _, part := range []string{"Go 2, igraph 1", "| kg15k | 20000 | 200000 | neorag | fast | 1 |", "- leidenalg: why"} {
		if !strings.Contains(string(body), part) {
			t.Errorf("%q is missing in:\n%s", part, body)
		}
	}
	if err := os.WriteFile(path, []byte("no markers\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := update(path, "x"); err == nil {
		t.Error("a file without markers was updated")
	}
}
