package leiden_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/neorag/neorag/internal/leiden"
)

func TestCanceledInTime(t *testing.T) {
	// Not parallel, because it measures time. The best of three tries counts, because
	// other programs may take the processor. The whole clustering takes many times the
	// limit.
	const limit = time.Second
	n, edges := planted(t, 400, 500, 4, 3)
	g := build(t, n, edges)
	for _, workers := range []int{1, 2} {
		for _, after := range []time.Duration{0, time.Millisecond, 50 * time.Millisecond, 200 * time.Millisecond} {
			late := time.Hour
			for range 3 {
				late = min(late, lateness(t, g, workers, after))
			}
			if late > limit {
				t.Errorf("%d workers, after %v: ended %v late, want at most %v", workers, after, late, limit)
			}
		}
	}
}

// lateness returns how long after its deadline BuildHierarchy returns.
func lateness(t *testing.T, g *leiden.Graph, workers int, after time.Duration) time.Duration {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), after)
	defer cancel()
	deadline := time.Now().Add(after)
	_, err := leiden.BuildHierarchy(ctx, g, leiden.Options{Workers: workers, Effort: leiden.Stable})
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%d workers, after %v: got error %v, want %v", workers, after, err, context.DeadlineExceeded)
	}
	return time.Since(deadline)
}

func TestCancelCause(t *testing.T) {
	t.Parallel()
	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(cause)
	if _, err := leiden.BuildHierarchy(ctx, build(t, 2, []edge{{0, 1, 1}}), leiden.Options{}); !errors.Is(err, cause) {
		t.Errorf("got error %v, want %v", err, cause)
	}
}

// BenchmarkCancel reports how long after its context a hierarchy ends: the worst of
// twelve points in time, at each the best of three tries, because other programs may
// take the processor. The graph has NEORAG_BENCH_NODES nodes, by default 100,000, and
// ten times as many edges.
func BenchmarkCancel(b *testing.B) {
	nodes := 100_000
	if n, err := strconv.Atoi(os.Getenv("NEORAG_BENCH_NODES")); err == nil {
		nodes = n
	}
	random := rand.New(rand.NewPCG(1, 2))
	builder := leiden.NewBuilder(nodes)
	for range 10 * nodes {
		u := random.IntN(nodes)
		v := random.IntN(nodes)
		if random.IntN(10) < 7 { // most edges stay in a group of 500
			v = u/500*500 + random.IntN(min(500, nodes-u/500*500))
		}
		if err := builder.Add(uint32(u), uint32(v), 1); err != nil {
			b.Fatal(err)
		}
	}
	g, err := builder.Build()
	if err != nil {
		b.Fatal(err)
	}
	end := func(after time.Duration, run func(context.Context) error) time.Duration {
		least := time.Duration(math.MaxInt64)
		for range 3 {
			ctx, cancel := context.WithTimeout(b.Context(), after)
			err := run(ctx)
			deadline, _ := ctx.Deadline()
			late := time.Since(deadline)
			cancel()
			if err == nil {
				return 0 // finished before the deadline
			}
			least = min(least, late)
		}
		return least
	}
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprintf("hierarchy/workers=%d", workers), func(b *testing.B) {
			worst := time.Duration(0)
			for b.Loop() {
				for i := range 12 {
					worst = max(worst, end(time.Duration(i*i)*40*time.Millisecond, func(ctx context.Context) error {
						_, err := leiden.BuildHierarchy(ctx, g, leiden.Options{Workers: workers})
						return err
					}))
				}
			}
			b.ReportMetric(float64(worst.Microseconds())/1000, "worst-ms-late")
		})
	}
	b.Run("build", func(b *testing.B) {
		worst := time.Duration(0)
		for b.Loop() {
			for i := range 12 {
				worst = max(worst, end(time.Duration(i)*100*time.Millisecond, func(ctx context.Context) error {
					_, err := builder.BuildContext(ctx)
					return err
				}))
			}
		}
		b.ReportMetric(float64(worst.Microseconds())/1000, "worst-ms-late")
	})
}
