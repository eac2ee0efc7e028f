package index

import (
	"context"
	"errors"
	"iter"
	"slices"
	"sync/atomic"
	"testing"
)

// numbers yields 0 to n-1, then an error if there is one.
func numbers(n int, err error) iter.Seq2[int, error] {
	return func(yield func(int, error) bool) {
		for i := range n {
			if !yield(i, nil) {
				return
			}
		}
		if err != nil {
			yield(0, err)
		}
	}
}

func TestPool(t *testing.T) {
	t.Parallel()
	errBad := errors.New("bad")
	var running, peak atomic.Int64
	double := func(_ context.Context, i int) (int, error) {
		n := running.Add(1)
		defer running.Add(-1)
		for old := peak.Load(); n > old && !peak.CompareAndSwap(old, n); old = peak.Load() {
		}
		return 2 * i, nil
	}
	var got []int
	take := func(batch []int) error { got = append(got, batch...); return nil }
	if err := pool(t.Context(), 4, numbers(1000, nil), double, take); err != nil || len(got) != 1000 || slices.Max(got) != 1998 || peak.Load() > 4 {
		t.Errorf("got %d results, %v, %d at once", len(got), err, peak.Load())
	}
	got = nil
	if err := pool(t.Context(), 4, numbers(50, errBad), double, take); !errors.Is(err, errBad) || len(got) != 50 {
		t.Errorf("the items end in an error: got %d results, %v", len(got), err)
	}
	if err := pool(t.Context(), 4, numbers(5000, nil), double, func([]int) error { return errBad }); !errors.Is(err, errBad) {
		t.Errorf("a sink that fails: got %v", err)
	}
	if err := pool(t.Context(), 4, numbers(5000, nil), func(_ context.Context, i int) (int, error) {
		if i == 7 {
			panic("seven")
		}
		return i, nil
	}, take); err == nil {
		t.Error("a panic: got no error")
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errBad)
	if err := pool(ctx, 2, numbers(5, nil), func(ctx context.Context, i int) (int, error) { return i, context.Cause(ctx) }, take); !errors.Is(err, errBad) {
		t.Errorf("a context that ended: got %v", err)
	}
}
