package index

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/neorag/neorag/internal/llm"
)

// numbersUpTo yields 0 to n-1, then an error if there is one.
func numbersUpTo(n int, err error) iter.Seq2[int, error] {
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
	if err := pool(t.Context(), 4, from(numbersUpTo(1000, nil)), double, take); err != nil || len(got) != 1000 || slices.Max(got) != 1998 || peak.Load() > 4 {
		t.Errorf("got %d results, %v, %d at once", len(got), err, peak.Load())
	}
	got = nil
	if err := pool(t.Context(), 4, from(numbersUpTo(50, errBad)), double, take); !errors.Is(err, errBad) || len(got) != 50 {
		t.Errorf("the items end in an error: got %d results, %v", len(got), err)
	}
	if err := pool(t.Context(), 4, from(numbersUpTo(5000, nil)), double, func([]int) error { return errBad }); !errors.Is(err, errBad) {
		t.Errorf("a sink that fails: got %v", err)
	}
	if err := pool(t.Context(), 4, from(numbersUpTo(5000, nil)), func(_ context.Context, i int) (int, error) {
		if i == 7 {
			panic("seven")
		}
		return i, nil
	}, take); err == nil {
		t.Error("a panic: got no error")
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errBad)
	if err := pool(ctx, 2, from(numbersUpTo(5, nil)), func(ctx context.Context, i int) (int, error) { return i, context.Cause(ctx) }, take); !errors.Is(err, errBad) {
		t.Errorf("a context that ended: got %v", err)
	}
}

// from gives the same items whatever the context.
func from[T any](items iter.Seq2[T, error]) func(context.Context) iter.Seq2[T, error] {
	return func(context.Context) iter.Seq2[T, error] { return items }
}

// TestPoolSpendsItsBudget takes no new items when the budget is spent, and hands
// over what was under way. Items that wait for more are let go.
func TestPoolSpendsItsBudget(t *testing.T) {
	t.Parallel()
	const limit = 4
	for _, endless := range []bool{false, true} {
		started, got := atomic.Int64{}, 0
		items := func(ctx context.Context) iter.Seq2[int, error] {
			return func(yield func(int, error) bool) {
				for i := range 20 {
					if !yield(i, nil) {
						return
					}
				}
				if endless {
					<-ctx.Done() // as one that waits for others to be done
					yield(0, context.Cause(ctx))
				}
			}
		}
		err := pool(t.Context(), limit, items, func(ctx context.Context, i int) (int, error) {
			started.Add(1)
			return i, ctx.Err()
		}, func(done []int) error {
			got += len(done)
			if slices.Contains(done, 3) {
				return fmt.Errorf("call: %w", llm.ErrBudget)
			}
			return nil
		})
		if !errors.Is(err, llm.ErrBudget) || int64(got) != started.Load() {
			t.Errorf("got %v; %d of %d results were handed over", err, got, started.Load())
		}
	}
	// A sink that fails lets go of items that wait, too.
	err := pool(t.Context(), limit, func(ctx context.Context) iter.Seq2[int, error] {
		return func(yield func(int, error) bool) {
			if yield(1, nil) {
				<-ctx.Done()
			}
		}
	}, func(_ context.Context, i int) (int, error) { return i, nil }, func([]int) error { return context.DeadlineExceeded })
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
}
