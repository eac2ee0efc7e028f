package index

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"pgregory.net/rapid"

	"github.com/neorag/neorag/internal/llm"
)

// numbersUpTo yields 0 to n-1, then err unless it is nil.
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

func TestParallelMap(t *testing.T) {
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
	if err := parallelMap(t.Context(), 4, from(numbersUpTo(1000, nil)), double, take); err != nil || len(got) != 1000 || slices.Max(got) != 1998 || peak.Load() > 4 {
		t.Errorf("got %d results, %v, %d concurrent calls", len(got), err, peak.Load())
	}
	got = nil
	if err := parallelMap(t.Context(), 4, from(numbersUpTo(50, errBad)), double, take); !errors.Is(err, errBad) || len(got) != 50 {
		t.Errorf("the items end with an error: got %d results, %v", len(got), err)
	}
	if err := parallelMap(t.Context(), 4, from(numbersUpTo(5000, nil)), double, func([]int) error { return errBad }); !errors.Is(err, errBad) {
		t.Errorf("a sink that fails: got %v", err)
	}
	if err := parallelMap(t.Context(), 4, from(numbersUpTo(5000, nil)), func(_ context.Context, i int) (int, error) {
		if i == 7 {
			panic("seven")
		}
		return i, nil
	}, take); err == nil {
		t.Error("a panic: got no error")
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errBad)
	if err := parallelMap(ctx, 2, from(numbersUpTo(5, nil)), func(ctx context.Context, i int) (int, error) { return i, context.Cause(ctx) }, take); !errors.Is(err, errBad) {
		t.Errorf("a context that ended: got %v", err)
	}
}

// from ignores the context that items get.
func from[T any](items iter.Seq2[T, error]) func(context.Context) iter.Seq2[T, error] {
	return func(context.Context) iter.Seq2[T, error] { return items }
}

// TestParallelMapSpendsItsBudget starts no new calls when the budget is spent, and
// passes on the results of those in flight. Items that wait for more are released.
func TestParallelMapSpendsItsBudget(t *testing.T) {
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
		err := parallelMap(t.Context(), limit, items, func(ctx context.Context, i int) (int, error) {
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
			t.Errorf("got %v; %d of %d results were passed to sink", err, got, started.Load())
		}
	}
	// A sink that fails releases items that wait, too.
	err := parallelMap(t.Context(), limit, func(ctx context.Context) iter.Seq2[int, error] {
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

// TestParallelMapOrdered gets the results in the order of the items although later
// ones are computed first, and never starts many items ahead of one that is slow.
func TestParallelMapOrdered(t *testing.T) {
	t.Parallel()
	const limit, n = 4, 200
	items := make([]int, n)
	for i := range items {
		items[i] = i
	}
	var got []int
	take := func(i int) error { got = append(got, i); return nil }
	var started, ahead atomic.Int64
	release := make(chan struct{})
	err := parallelMapOrdered(t.Context(), limit, each(items), weightless, func(_ context.Context, i int) (int, error) {
		if started.Add(1) == 2*limit {
			close(release) // the window is full, so only item 0 can make room
		}
		if i == 0 {
			<-release
			ahead.Store(started.Load())
		}
		return i, nil
	}, take)
	if err != nil || !slices.Equal(got, items) || ahead.Load() != 2*limit {
		t.Errorf("got %v, %v; %d items were started before the first was done, want %d", got, err, ahead.Load(), 2*limit)
	}
	errBad := errors.New("bad")
	got = nil
	if err := parallelMapOrdered(t.Context(), limit, each(items), weightless, func(_ context.Context, i int) (int, error) {
		if i == 100 {
			return 0, errBad
		}
		return i, nil
	}, take); !errors.Is(err, errBad) || len(got) > 100 || !slices.Equal(got, items[:len(got)]) {
		t.Errorf("an item that fails: got %v, %v", got, err)
	}
	identity := func(_ context.Context, i int) (int, error) { return i, nil }
	if err := parallelMapOrdered(t.Context(), limit, each(items), weightless, identity, func(i int) error {
		if i == 50 {
			return errBad
		}
		return nil
	}); !errors.Is(err, errBad) {
		t.Errorf("a sink that fails: got %v", err)
	}
	if err := parallelMapOrdered(t.Context(), limit, each(items), weightless, func(context.Context, int) (int, error) { panic("seven") }, take); err == nil || !strings.HasPrefix(err.Error(), "panic: seven\n") {
		t.Errorf("a panic: got %v", err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errBad)
	if err := parallelMapOrdered(ctx, limit, each(items), weightless, func(ctx context.Context, i int) (int, error) { return i, context.Cause(ctx) }, take); err != errBad { //nolint:errorlint // the cause alone, once
		t.Errorf("a context that ended: got %v", err)
	}
	if err := parallelMapOrdered(t.Context(), 0, each[int](nil), weightless, identity, take); err != nil {
		t.Errorf("no items: got %v", err)
	}
}

// TestParallelMapOrderedBoundsWeight runs light items next to each other, and a heavy one
// only with those that fit.
func TestParallelMapOrderedBoundsWeight(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		weights := rapid.SliceOfN(rapid.Int64Range(0, 2*maxInFlight), 1, 40).Draw(t, "weights")
		limit := rapid.IntRange(1, 8).Draw(t, "limit")
		var inFlight, most atomic.Int64
		var got []int64
		err := parallelMapOrdered(context.Background(), limit, each(weights), func(w int64) int64 { return w }, func(_ context.Context, w int64) (int64, error) {
			now := inFlight.Add(min(w, maxInFlight))
			for seen := most.Load(); now > seen && !most.CompareAndSwap(seen, now); seen = most.Load() {
			}
			runtime.Gosched()
			return w, nil
		}, func(w int64) error {
			got = append(got, w)
			inFlight.Add(-min(w, maxInFlight))
			return nil
		})
		if err != nil || !slices.Equal(got, weights) || most.Load() > maxInFlight {
			t.Fatalf("%v; got %v; %d bytes in flight", err, got, most.Load())
		}
	})
}
