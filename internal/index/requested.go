package index

import (
	"context"
	"time"

	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/sys/panicerr"
)

// RunRequested runs the index of a corpus for which Store.RequestRun asked: it takes the lease, which it does not
// wait for, and calls run with options of an Indexer that writes under it. A request with confirm sets AllowRedo.
// The error is ErrLeased while another process writes, and ErrNotRequested if it has run what was requested. explain
// returns what other processes show of an error of run. The request of a run that is cancelled, because this
// process ends, stays for another process.
func RunRequested(ctx context.Context, store *neo4jstore.Store, o Options, explain func(error) string, run func(context.Context, Options) error) error {
	x := Indexer{store, o.withDefaults()}
	x.requested.Wait = -time.Second
	return x.withWriter(ctx, func(ctx context.Context, writer *neo4jstore.Writer, _ bool) error {
		confirmed, err := writer.StartRun(ctx)
		if err != nil {
			return err
		}
		o.held, o.Owner, o.AllowRedo = writer, x.requested.Owner, o.AllowRedo || confirmed
		failure := ""
		if err = panicerr.Catch(func() error { return run(ctx, o) }); err != nil {
			if ctx.Err() != nil {
				return err
			}
			failure = explain(err)
		}
		if endErr := writer.EndRun(ctx, failure); err == nil {
			err = endErr
		}
		return err
	})
}
