// Package parallel computes a function for many items at the same time.
package parallel

import (
	"context"

	"golang.org/x/sync/errgroup"

	"github.com/neorag/neorag/internal/sys/panicerr"
)

// Map computes fn for each item, with at most limit calls at a time, and at least one. It returns the
// results in the order of the items. The first error, also a panic in fn, ends the context of the
// other calls and is returned.
func Map[T, R any](ctx context.Context, limit int, items []T, fn func(context.Context, T) (R, error)) ([]R, error) {
	results := make([]R, len(items))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(max(limit, 1))
	for i, item := range items {
		group.Go(func() error {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			return panicerr.Catch(func() (err error) {
				results[i], err = fn(ctx, item)
				return err
			})
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	return results, nil
}

// A Result is what a call of All returned.
type Result[R any] struct {
	Value R
	Err   error
}

// All is Map in which a call that fails does not end the others. It returns an error if the context
// ends.
func All[T, R any](ctx context.Context, limit int, items []T, fn func(context.Context, T) (R, error)) ([]Result[R], error) {
	return Map(ctx, limit, items, func(ctx context.Context, item T) (r Result[R], _ error) {
		r.Err = panicerr.Catch(func() (err error) {
			r.Value, err = fn(ctx, item)
			return err
		})
		return r, ctx.Err()
	})
}
