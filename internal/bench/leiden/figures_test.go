package main

import "testing"

// timed returns a row of a graph of 20,000 nodes.
func timed(graph, engine, task string, workers int, ms, q float64) row {
	return row{Graph: graph, Nodes: 20_000, Edges: 200_000, Engine: engine, Task: task, Workers: workers, Ms: ms, evaluation: evaluation{Modularity: q}}
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
			t.Errorf("%s: %s does not meet %s", f.What, f.Found, f.Must)
		}
	}
	bad := append(table(nil), good...)
	bad[0].Ms, bad[2].Ms, bad[2].Modularity, bad[3].Ms, bad[3].Disconnected = 5, 15, 0.85, 19, 1
	held := 0
	for _, f := range bad.figures() {
		if f.Must == noRequirement {
			continue
		}
		if f.Holds {
			t.Errorf("%s: %s meets %s", f.What, f.Found, f.Must)
		}
		held++
	}
	if want := len(good.figures()); held != want-2 || held != 5 {
		t.Errorf("got %d and %d figures, want 5, and two more without a requirement", want, held)
	}
}
