package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSideBySide(t *testing.T) {
	t.Parallel()
	base, head := map[string][]int{"moved": {1, 200}, "same": {3, 4}}, map[string][]int{"arrived": {1, 150}, "same": {3, 5}}
	got := sideBySide("Sizes", "package", []string{"files", "lines"}, base, head, "A note.").markdown()
	want := `## Sizes

| package | files | head | lines | head |
|---------|------:|-----:|------:|-----:|
| arrived |     - |    1 |     - |  150 |
| moved   |     1 |    - |   200 |    - |
| same    |     3 |    3 |     4 |    5 |
| sum     |     4 |    4 |   204 |  155 |

A note.
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("markdown (-want +got):\n%s", diff)
	}
}

func TestPair(t *testing.T) {
	t.Parallel()
	wall := table{Title: "Times", Columns: []string{"command", "base", "head", "ratio"}}
	wall.pair("query", 1, [2]float64{80, 100})
	wall.pair("help", 1, [2]float64{0, 2.25})
	want := `## Times

| command | base |  head | ratio |
|---------|-----:|------:|------:|
| query   | 80.0 | 100.0 | 1.250 |
| help    |  0.0 |   2.2 |     - |
`
	if diff := cmp.Diff(want, wall.markdown()); diff != "" {
		t.Errorf("markdown (-want +got):\n%s", diff)
	}
}

func TestQuantile(t *testing.T) {
	t.Parallel()
	values := []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}
	for p, want := range map[int]int{50: 5, 90: 9, 91: 10, 100: 10} {
		if got := quantile(values, p); got != want {
			t.Errorf("quantile(1..10, %d) = %d, want %d", p, got, want)
		}
	}
	if got := quantile(nil, 50); got != 0 {
		t.Errorf("quantile(nil, 50) = %d, want 0", got)
	}
}
