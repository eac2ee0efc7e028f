package main

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestTable(t *testing.T) {
	t.Parallel()
	base, head := map[string][]float64{"moved": {1, 200, 3}, "same": {3, 4, 0}}, map[string][]float64{"arrived": {1, 150, 3}, "same": {3, 5, 1}}
	var b strings.Builder
	table{title: "Sizes", kinds: []string{"files", "lines", "names"}, sides: [2]map[string][]float64{base, head}, note: "A note."}.print(&b)
	want := `
## Sizes

|                                      |    files |     head |    lines |     head |    names |     head |
| ---                                  | -------: | -------: | -------: | -------: | -------: | -------: |
| arrived                              |        - |        1 |        - |      150 |        - |        3 |
| moved                                |        1 |        - |      200 |        - |        3 |        - |
| same                                 |        3 |        3 |        4 |        5 |        0 |        1 |
| sum                                  |        4 |        4 |      204 |      155 |        3 |        4 |

A note.
`
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestTableOfTimes(t *testing.T) {
	t.Parallel()
	times := table{title: "Times", kinds: []string{"median"}, names: []string{}, sides: [2]map[string][]float64{{}, {}}}
	took := [2][]time.Duration{{9, 80, 70, 90}, {9, 120, 100, 90}} // the first of each does not count
	if err := times.inTurn("query", 3, func(side int) (time.Duration, error) {
		next := took[side][0] * time.Millisecond
		took[side] = took[side][1:]
		return next, nil
	}); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	times.print(&b)
	if want := "| query                                |       80 |      100 |    1.250 |\n"; !strings.Contains(b.String(), want) {
		t.Errorf("got\n%s, want the row\n%s", b.String(), want)
	}
}

func TestLargest(t *testing.T) {
	t.Parallel()
	base, head := map[string][]float64{}, map[string][]float64{"a": {30}, "x": {1}}
	for i := range 16 {
		base[string(rune('a'+i))] = []float64{float64(i)}
	}
	got := largest([2]map[string][]float64{base, head})
	if diff := cmp.Diff(strings.Fields("a p o n m l k j i h g f e d c"), got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestQuantile(t *testing.T) {
	t.Parallel()
	values := []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}
	for p, want := range map[int]float64{50: 5, 90: 9, 91: 10, 100: 10} {
		if got := quantile(values, p); got != want {
			t.Errorf("quantile(1..10, %d) = %v, want %v", p, got, want)
		}
	}
	if got := quantile(nil, 50); got != 0 {
		t.Errorf("quantile(nil, 50) = %v, want 0", got)
	}
}
