package index

import (
	"context"
	"errors"
	"iter"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/sys/panicerr"
)

// maxBatch is the maximum number of results in one call of sink, by default.
const maxBatch = 256

// parallelMap computes fn for every item with at most limit concurrent calls. It
// passes the results to sink in completion order, in batches of what is ready. sink
// runs in the caller's goroutine while further results are computed.
//
// The first error, also a panic in fn, ends both sides; results computed before it
// are still passed to sink. If the error is that the budget is spent, calls in flight
// are paid for, so they are awaited and passed to sink too. The context given to
// items ends when no more items are needed.
func parallelMap[T, R any](ctx context.Context, limit int, items func(context.Context) iter.Seq2[T, error], fn func(context.Context, T) (R, error), sink func([]R) error) error {
	return parallelMapBatches(ctx, limit, maxBatch, items, fn, sink)
}

// parallelMapBatches is parallelMap with a maximum number of results in one call of sink;
// as many may wait for it.
func parallelMapBatches[T, R any](ctx context.Context, limit, maxBatch int, items func(context.Context) iter.Seq2[T, error], fn func(context.Context, T) (R, error), sink func([]R) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	wanted, enough := context.WithCancelCause(ctx)
	defer enough(nil)
	results := make(chan R, maxBatch)
	g := new(errgroup.Group)
	g.Go(func() error {
		defer close(results)
		work, wctx := errgroup.WithContext(ctx)
		work.SetLimit(max(limit, 1))
		defer context.AfterFunc(wctx, func() { enough(context.Cause(wctx)) })()
		var failed error
		for item, err := range items(wanted) {
			if wanted.Err() != nil {
				failed = context.Cause(ctx) // nil if fn or sink failed, whose error is returned below
				break
			}
			if failed = err; err != nil {
				break
			}
			work.Go(func() error {
				v, err := catchPanic(wctx, item, fn)
				if err != nil {
					return err
				}
				select {
				case results <- v:
				case <-ctx.Done():
				}
				return nil
			})
		}
		if err := work.Wait(); failed == nil {
			failed = err
		}
		return failed
	})
	var err error
	for first := range results {
		if err != nil && !errors.Is(err, llm.ErrBudget) {
			continue // drain the channel until the computing side has ended
		}
		serr := sink(collectReady(first, results, maxBatch))
		if serr == nil || err != nil && errors.Is(serr, llm.ErrBudget) {
			continue
		}
		if err = serr; errors.Is(err, llm.ErrBudget) {
			enough(err)
		} else {
			cancel(err)
		}
	}
	if werr := g.Wait(); err == nil {
		err = werr
	}
	return err
}

// collectReady returns first and the further results that are ready, up to maxBatch.
func collectReady[R any](first R, results <-chan R, maxBatch int) []R {
	batch := []R{first}
	for len(batch) < maxBatch {
		select {
		case v, ok := <-results:
			if !ok {
				return batch
			}
			batch = append(batch, v)
		default:
			return batch
		}
	}
	return batch
}

// maxInFlight is the weight in bytes of the items that parallelMapOrdered has in flight at
// a time. What is made of a text takes several times its size.
const maxInFlight = 32 << 20

// parallelMapOrdered is parallelMap, but passes the results to sink one by one in the order
// of the items. At most 2*limit items are in flight or wait for an earlier one; together
// they weigh at most maxInFlight, unless one is heavier alone.
func parallelMapOrdered[T, R any](ctx context.Context, limit int, items func(context.Context) iter.Seq2[T, error], weight func(T) int64, fn func(context.Context, T) (R, error), sink func(R) error) error {
	type numbered[V any] struct {
		index  int
		weight int64
		value  V
	}
	window := make(chan struct{}, max(2*limit, 1)) // one element for each item that was handed out and not passed to sink
	inFlight := semaphore.NewWeighted(maxInFlight)
	handOut := func(ctx context.Context) iter.Seq2[numbered[T], error] {
		return func(yield func(numbered[T], error) bool) {
			i := 0
			for item, err := range items(ctx) {
				if err == nil {
					select {
					case window <- struct{}{}:
					case <-ctx.Done():
						err = context.Cause(ctx)
					}
				}
				w := min(weight(item), maxInFlight)
				if err == nil && inFlight.Acquire(ctx, w) != nil {
					err = context.Cause(ctx)
				}
				if !yield(numbered[T]{i, w, item}, err) || err != nil {
					return
				}
				i++
			}
		}
	}
	compute := func(ctx context.Context, item numbered[T]) (numbered[R], error) {
		v, err := fn(ctx, item.value)
		return numbered[R]{item.index, item.weight, v}, err
	}
	next, waiting := 0, map[int]numbered[R]{}
	return parallelMap(ctx, limit, handOut, compute, func(done []numbered[R]) error {
		for _, r := range done {
			waiting[r.index] = r
		}
		for {
			r, ok := waiting[next]
			if !ok {
				return nil
			}
			delete(waiting, next)
			next++
			err := sink(r.value)
			<-window
			inFlight.Release(r.weight)
			if err != nil {
				return err
			}
		}
	})
}

// each returns an iterator over a slice for parallelMap.
func each[T any](items []T) func(context.Context) iter.Seq2[T, error] {
	return func(context.Context) iter.Seq2[T, error] {
		return func(yield func(T, error) bool) {
			for _, item := range items {
				if !yield(item, nil) {
					return
				}
			}
		}
	}
}

// A pageReader returns the next items of a corpus after a key, in the order of their keys. n bounds the
// page: the items, or the mentions that they have.
type pageReader[T any] func(ctx context.Context, corpus, after string, n int) ([]T, error)

// pages iterates over the items of a corpus in pages that n bounds, in the order of their keys. An empty
// page is the last.
func pages[T any](ctx context.Context, corpus string, read pageReader[T], n int, key func(T) string) iter.Seq2[[]T, error] {
	return func(yield func([]T, error) bool) {
		for after := graph.Key(corpus, ""); ; {
			page, err := read(ctx, corpus, after, n)
			if err == nil && len(page) == 0 {
				return
			}
			if !yield(page, err) || err != nil {
				return
			}
			after = key(page[len(page)-1])
		}
	}
}

// inPages returns an iterator over the items of pages for parallelMap.
func inPages[T any](corpus string, read pageReader[T], n int, key func(T) string) func(context.Context) iter.Seq2[T, error] {
	return func(ctx context.Context) iter.Seq2[T, error] {
		return func(yield func(T, error) bool) {
			for page, err := range pages(ctx, corpus, read, n, key) {
				if err != nil {
					var none T
					yield(none, err)
					return
				}
				for _, item := range page {
					if !yield(item, nil) {
						return
					}
				}
			}
		}
	}
}

// weightless is the weight of items that take little memory.
func weightless[T any](T) int64 { return 0 }

// catchPanic calls fn and turns a panic into an error, so that one bad item names
// itself instead of ending the process.
func catchPanic[T, R any](ctx context.Context, item T, fn func(context.Context, T) (R, error)) (v R, err error) {
	err = panicerr.Catch(func() (err error) {
		v, err = fn(ctx, item)
		return err
	})
	return v, err
}
