package main

import (
	"context"
	"errors"

	"golang.org/x/sync/errgroup"

	"github.com/neorag/neorag/internal/neo4jstore"
	"github.com/neorag/neorag/internal/neo4jtest"
	"github.com/neorag/neorag/internal/textproc"
)

// A pool is corpora for one use, with vectors of a length; 0 is for none.
type pool struct {
	use       string
	dimension int
	share     int // of how many of them one is for this use
}

// pools are what tests borrow: those of the pipeline, of the store alone,
// and of a change of vectors.
var pools = []pool{{"index", textproc.Dimension, 1}, {"4", 4, 2}, {"0", 0, 4}, {"64", 64, 12}, {"96", 96, 12}}

// lend makes corpora for tests to borrow. Made one by one while tests run, each
// would have the server plan the statements of all others anew.
func lend(ctx context.Context, conn neo4jtest.Conn, count int) (err error) {
	store, err := neo4jstore.Open(ctx, neo4jstore.Config{URI: conn.URI, Username: conn.User, Password: conn.Password})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close(context.WithoutCancel(ctx))) }()
	if err := store.EnsureSchema(ctx); err != nil {
		return err
	}
	making, gctx := errgroup.WithContext(ctx)
	making.SetLimit(4) // the server waits for new indexes more than it works
	for _, p := range pools {
		for range count / p.share {
			making.Go(func() error {
				name := neo4jtest.Name()
				if err := store.EnsureCorpus(gctx, name, p.dimension); err != nil {
					return err
				}
				return neo4jtest.Lend(gctx, conn, p.use, name)
			})
		}
	}
	return making.Wait()
}
