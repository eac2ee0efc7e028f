package main

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestServe(t *testing.T) {
	t.Parallel()
	n := twoTriangles()
	path, labels := write(t, n), filepath.Join(t.TempDir(), "labels")
	for _, task := range []string{taskFast, taskBest, taskHierarchyFast, taskHierarchy} {
		var out bytes.Buffer
		if err := serve(context.Background(), strings.NewReader(task+" 2 1\n"+task+" 1 0\n"), &out, path, labels); err != nil {
			t.Fatalf("%s: %v", task, err)
		}
		if got := strings.Count(out.String(), `"ms":`); got != 2 || !strings.HasPrefix(out.String(), `{"ready": true}`) {
			t.Errorf("%s: got %q, want a line that it is ready and two answers", task, out.String())
		}
		levels, err := readLabels(labels, n.nodes)
		if err != nil {
			t.Fatal(err)
		}
		v := evaluate(n, levels)
		if v.Modularity < 0.357 || v.Disconnected+v.Straddling > 0 {
			t.Errorf("%s: got %+v, want the two triangles", task, v)
		}
	}
	for _, request := range []string{"best 1", "slow 1 1", "best one 1", "best 1 -1"} {
		if err := serve(context.Background(), strings.NewReader(request+"\n"), new(bytes.Buffer), path, labels); err == nil {
			t.Errorf("request %q was accepted", request)
		}
	}
}

func TestRunAgain(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		times []float64
		all   time.Duration
		want  bool
	}{
		{nil, 0, true},
		{make([]float64, 24), 199 * time.Millisecond, true},
		{make([]float64, 25), 199 * time.Millisecond, false},
		{[]float64{100, 100}, 200 * time.Millisecond, true},
		{[]float64{100, 100, 100}, 300 * time.Millisecond, false},
		{[]float64{2999}, 3 * time.Second, true},
		{[]float64{3000}, 3 * time.Second, false},
	} {
		if got := runAgain(c.times, c.all); got != c.want {
			t.Errorf("%d runs in %v: got %v, want %v", len(c.times), c.all, got, c.want)
		}
	}
}
