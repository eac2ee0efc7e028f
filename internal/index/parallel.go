package index

import (
	"context"
	"errors"
	"iter"

	"golang.org/x/sync/errgroup"

	"github.com/neorag/neorag/internal/llm"
)

// poolBatch is how many results are handed over at once at most.
const poolBatch = 256

// pool computes fn for every item, at most limit at once, and hands the results
// to sink in the order in which they come, as many as there are by then, from
// the caller's goroutine. While sink works others go on being computed. The
// first error ends both sides; what was computed before it is handed over.
// Where the error is that the budget is spent, what is under way is paid for:
// it is still waited for and handed over. The context of items ends when no more
// are wanted.
func pool[T, R any](ctx context.Context, limit int, items func(context.Context) iter.Seq2[T, error], fn func(context.Context, T) (R, error), sink func([]R) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	wanted, enough := context.WithCancelCause(ctx)
	defer enough(nil)
	results := make(chan R, poolBatch)
	g := new(errgroup.Group)
	g.Go(func() error {
		defer close(results)
		work, wctx := errgroup.WithContext(ctx)
		work.SetLimit(max(limit, 1))
		defer context.AfterFunc(wctx, func() { enough(context.Cause(wctx)) })()
		var failed error
		for item, err := range items(wanted) {
			if wanted.Err() != nil {
				failed = context.Cause(ctx) // nil where a worker failed or the sink has enough, which say so themselves
				break
			}
			if failed = err; err != nil {
				break
			}
			work.Go(func() error {
				v, err := guard(wctx, item, fn)
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
		return errors.Join(failed, work.Wait())
	})
	var err error
	for first := range results {
		if err != nil && !errors.Is(err, llm.ErrBudget) {
			continue // only until the computing side has ended
		}
		serr := sink(gather(first, results))
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

// gather adds what else is ready.
func gather[R any](first R, results <-chan R) []R {
	batch := []R{first}
	for len(batch) < poolBatch {
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
