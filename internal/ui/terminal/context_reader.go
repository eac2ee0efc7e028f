package terminal

import (
	"context"
	"io"
)

// A contextReader ends with its context, even while the reader below it waits for
// a person or a pipe. Nothing can end that wait: the goroutine that waits is left
// behind until the process exits.
type contextReader struct {
	ctx    context.Context //nolint:containedctx // io.Reader takes no context
	blocks chan []byte
	rest   []byte
	err    error // of the reader below; valid once blocks is closed
}

// NewContextReader returns a reader of from that fails with the cause of ctx once
// ctx is done. It reads one block ahead of the caller.
func NewContextReader(ctx context.Context, from io.Reader) io.Reader {
	r := &contextReader{ctx: ctx, blocks: make(chan []byte)}
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

func (r *contextReader) Read(p []byte) (int, error) {
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
