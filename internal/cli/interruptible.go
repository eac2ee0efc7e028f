package cli

import (
	"context"
	"io"
)

// An interruptible reader ends with its context, also while the one below it
// waits for a person or a pipe. Nothing can end that wait: the goroutine that
// waits is left behind, for the process to end with.
type interruptible struct {
	ctx    context.Context //nolint:containedctx // io.Reader has no place for it
	blocks chan []byte
	rest   []byte
	err    error // of the reader below; read after blocks was closed
}

// newInterruptible reads ahead of the caller by one block.
func newInterruptible(ctx context.Context, from io.Reader) *interruptible {
	r := &interruptible{ctx: ctx, blocks: make(chan []byte)}
	go func() {
		defer close(r.blocks)
		for {
			block := make([]byte, 1<<16)
			n, err := from.Read(block)
			if n > 0 {
				select {
				case r.blocks <- block[:n]:
				case <-ctx.Done():
					return
				}
			}
			if err != nil {
				r.err = err
				return
			}
		}
	}()
	return r
}

func (r *interruptible) Read(p []byte) (int, error) {
	if len(r.rest) == 0 {
		select {
		case block, ok := <-r.blocks:
			if !ok {
				if r.err == nil {
					return 0, context.Cause(r.ctx)
				}
				return 0, r.err
			}
			r.rest = block
		case <-r.ctx.Done():
			return 0, context.Cause(r.ctx)
		}
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}
