package main

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// twoTriangles returns two triangles that an edge connects, and node 6 without edges.
func twoTriangles() *network {
	return &network{
		nodes:   7,
		ends:    []uint32{0, 1, 1, 2, 0, 2, 3, 4, 4, 5, 3, 5, 2, 3},
		weights: []float64{1, 1, 1, 1, 1, 1, 1},
	}
}

func TestEvaluate(t *testing.T) {
	t.Parallel()
	const x = none
	for name, test := range map[string]struct {
		levels [][]uint32
		want   evaluation
	}{
		"nothing":       {nil, evaluation{}},
		"the triangles": {[][]uint32{{9, 9, 9, 4, 4, 4, x}}, evaluation{Modularity: 6./7 - 0.5, Levels: 1, Communities: 2, Largest: 3}},
		"all in one":    {[][]uint32{{0, 0, 0, 0, 0, 0, x}}, evaluation{Levels: 1, Communities: 1, Largest: 6}},
		"a community in two pieces": {
			[][]uint32{{0, 0, 1, 1, 0, 1, x}},
			evaluation{Modularity: 3./7 - (6./14*6/14 + 8./14*8/14), Levels: 1, Communities: 2, Disconnected: 1, Largest: 3},
		},
		"children": {
			[][]uint32{{0, 0, 0, 1, 1, 1, x}, {x, x, x, 0, 1, 1, x}},
			evaluation{Modularity: 6./7 - 0.5, Levels: 2, Communities: 4, Largest: 3},
		},
		"a child of two parents": {
			[][]uint32{{0, 0, 0, 1, 1, 1, x}, {0, 0, 1, 1, 2, 2, x}},
			evaluation{Modularity: 6./7 - 0.5, Levels: 2, Communities: 5, Largest: 2, Straddling: 1},
		},
	} {
		if diff := cmp.Diff(test.want, evaluate(twoTriangles(), test.levels), cmpopts.EquateApprox(0, 1e-12)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestWriteAndReadLabels(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "labels")
	want := [][]uint32{{1, 2, none}, {none, 7, 0}}
	if err := writeLabels(path, want); err != nil {
		t.Fatal(err)
	}
	got, err := readLabels(path, 3)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("labels (-want +got):\n%s", diff)
	}
	for _, nodes := range []int{2, 4} {
		if _, err := readLabels(path, nodes); err == nil {
			t.Errorf("labels of 3 nodes were read as labels of %d", nodes)
		}
	}
}
