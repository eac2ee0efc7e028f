package arcs

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestPositions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		most := rapid.SampledFrom([]int64{10, 1 << 40}).Draw(t, "most") // few ids, and ids far apart
		ids := rapid.SliceOfDistinct(rapid.Int64Range(0, most), func(id int64) int64 { return id }).Draw(t, "ids")
		position := Positions(ids)
		for i, id := range ids {
			if at, ok := position(id); !ok || at != uint32(i) {
				t.Fatalf("position of %d = %d, %v, want %d", id, at, ok, i)
			}
		}
		for _, id := range []int64{-1, most + 1} {
			if at, ok := position(id); ok {
				t.Fatalf("position of %d = %d, want none", id, at)
			}
		}
	})
}

func TestEach(t *testing.T) {
	position := Positions([]int64{7, 3})
	list := func(ids ...int64) []any {
		var all []any
		for _, id := range ids {
			all = append(all, id)
		}
		return all
	}
	type arc struct {
		source, target uint32
		weight         any
	}
	for name, test := range map[string]struct {
		row  []any
		want []arc
		err  error
	}{
		"no weights":       {[]any{list(7, 3), list(3, 3)}, []arc{{0, 1, nil}, {1, 1, nil}}, nil},
		"weights":          {[]any{list(7), list(3), []any{0.5}}, []arc{{0, 1, 0.5}}, nil},
		"empty":            {[]any{nil, nil}, nil, nil},
		"missing target":   {[]any{list(7, 3), list(3)}, nil, ErrMissing},
		"missing weight":   {[]any{list(7), list(3), list()}, nil, ErrMissing},
		"unknown end":      {[]any{list(7, 8), list(3, 3)}, []arc{{0, 1, nil}}, ErrMissing},
		"weight of nobody": {[]any{list(), list(), list(1)}, nil, ErrMissing},
	} {
		var got []arc
		err := Each(position, test.row, func(source, target uint32, weight any) error {
			got = append(got, arc{source, target, weight})
			return nil
		})
		if diff := cmp.Diff(test.want, got, cmp.AllowUnexported(arc{})); !errors.Is(err, test.err) || diff != "" {
			t.Errorf("%s: %v, want %v (-want +got):\n%s", name, err, test.err, diff)
		}
	}
	stop := errors.New("stop")
	if err := Each(position, []any{list(7), list(3)}, func(uint32, uint32, any) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("Each = %v, want the error of its function", err)
	}
}
