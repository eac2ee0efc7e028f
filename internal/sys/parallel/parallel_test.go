package parallel_test

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/sys/parallel"
)

var errOdd = errors.New("odd")

func half(_ context.Context, n int) (int, error) {
	if n%2 == 1 {
		return 0, errOdd
	}
	return n / 2, nil
}

func TestMap(t *testing.T) {
	t.Parallel()
	var running, peak atomic.Int32
	got, err := parallel.Map(t.Context(), 2, []int{8, 6, 4, 2}, func(ctx context.Context, n int) (int, error) {
		defer running.Add(-1)
		if now := running.Add(1); now > 2 {
			peak.Store(now)
		}
		return half(ctx, n)
	})
	if diff := cmp.Diff([]int{4, 3, 2, 1}, got); diff != "" || err != nil || peak.Load() > 0 {
		t.Errorf("%d calls at a time, %v (-want +got):\n%s", peak.Load(), err, diff)
	}
	if got, err := parallel.Map(t.Context(), 0, []int{2, 3, 4}, half); !errors.Is(err, errOdd) || got != nil {
		t.Errorf("an item that fails: %v, %v", got, err)
	}
	if _, err := parallel.Map(t.Context(), 1, []int{1, 2}, func(ctx context.Context, n int) (int, error) {
		if n == 2 {
			return 0, errors.New("it was not cancelled")
		}
		return half(ctx, n)
	}); !errors.Is(err, errOdd) {
		t.Errorf("after an item that fails: %v", err)
	}
	if _, err := parallel.Map(t.Context(), 1, []int{0}, func(context.Context, int) (int, error) { panic("zero") }); err == nil || !strings.HasPrefix(err.Error(), "panic: zero\n") {
		t.Errorf("a panic: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := parallel.Map(ctx, 1, []int{2}, half); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that ended: %v", err)
	}
}

func TestAll(t *testing.T) {
	t.Parallel()
	got, err := parallel.All(t.Context(), 2, []int{2, 3, 4}, half)
	if err != nil || len(got) != 3 || got[0].Value != 1 || !errors.Is(got[1].Err, errOdd) || got[2].Value != 2 {
		t.Errorf("%v, %v", got, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	if got, err := parallel.All(ctx, 1, []int{2, 4}, func(ctx context.Context, n int) (int, error) {
		cancel()
		return half(ctx, n)
	}); !errors.Is(err, context.Canceled) || got != nil {
		t.Errorf("a context that ends: %v, %v", got, err)
	}
}
