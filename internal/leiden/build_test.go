package leiden_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/neorag/neorag/internal/leiden"
)

func TestBuilderRefuses(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		nodes int
		edges []edge
	}{
		"source out of range": {2, []edge{{2, 0, 1}}},
		"target out of range": {2, []edge{{0, 2, 1}}},
		"no nodes":            {0, []edge{{0, 0, 1}}},
		"negative weight":     {2, []edge{{0, 1, -1}}},
		"weight not a number": {2, []edge{{0, 1, math.NaN()}}},
		"infinite weight":     {2, []edge{{0, 1, math.Inf(1)}}},
		"weight too large":    {2, []edge{{0, 1, 1e39}}},
		"sum too large":       {2, []edge{{0, 1, 3e38}, {1, 0, 3e38}}},
		"loops too large":     {2, []edge{{1, 1, 3e38}, {1, 1, 3e38}}},
		"negative size":       {-1, nil},
		"size too large":      {math.MaxUint32, nil},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := leiden.NewBuilder(tt.nodes)
			var err error
			for _, e := range tt.edges {
				if err == nil {
					err = b.Add(e.u, e.v, e.w)
				}
			}
			if err == nil {
				_, err = b.Build()
			}
			if !errors.Is(err, leiden.ErrGraph) {
				t.Errorf("got error %v, want %v", err, leiden.ErrGraph)
			}
		})
	}
}

func TestEmptyGraphs(t *testing.T) {
	t.Parallel()
	for _, nodes := range []int{0, 1, 3} {
		g := build(t, nodes, nil)
		p, err := leiden.Cluster(context.Background(), g, leiden.Options{})
		if err != nil || p.Communities != nodes || p.Modularity != 0 {
			t.Errorf("%d nodes: got %+v, %v, want a community each", nodes, p, err)
		}
		h, err := leiden.BuildHierarchy(context.Background(), g, leiden.Options{})
		if err != nil || len(h.Levels) != 0 || len(h.Order) != 0 {
			t.Errorf("%d nodes: got %+v, %v, want no communities", nodes, h, err)
		}
	}
}
