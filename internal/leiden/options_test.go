package leiden_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/neorag/neorag/internal/leiden"
)

func TestOptionsRefused(t *testing.T) {
	t.Parallel()
	g := build(t, 2, []edge{{0, 1, 1}})
	for name, o := range map[string]leiden.Options{
		"negative resolution":     {Resolution: -1},
		"resolution not a number": {Resolution: math.NaN()},
		"infinite resolution":     {Resolution: math.Inf(1)},
		"negative size":           {MaxSize: -1},
		"negative workers":        {Workers: -1},
		"unknown effort":          {Effort: leiden.Stable + 1},
		"negative effort":         {Effort: -1},
		"too few labels to start": {Start: &leiden.Start{Levels: [][]uint32{{0}}}},
		"too few changed nodes":   {Start: &leiden.Start{Changed: []bool{true}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := leiden.BuildHierarchy(context.Background(), g, o); !errors.Is(err, leiden.ErrOptions) {
				t.Errorf("got error %v, want %v", err, leiden.ErrOptions)
			}
		})
	}
}

func TestEffortNames(t *testing.T) {
	t.Parallel()
	for e := leiden.Default; e <= leiden.Stable; e++ {
		if got, err := leiden.ParseEffort(e.String()); err != nil || got != e {
			t.Errorf("%s: got %v, %v", e, got, err)
		}
	}
	if e, err := leiden.ParseEffort(""); err != nil || e != leiden.Default {
		t.Errorf("no name: got %v, %v, want the default", e, err)
	}
	if _, err := leiden.ParseEffort("quick"); !errors.Is(err, leiden.ErrOptions) {
		t.Errorf("unknown name: got error %v, want %v", err, leiden.ErrOptions)
	}
}
