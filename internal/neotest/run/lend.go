package main

import (
	"context"
	"errors"

	"github.com/neorag/neorag/internal/lang"
	"github.com/neorag/neorag/internal/neo4jstore"
	"github.com/neorag/neorag/internal/neotest"
)

// A pool is corpora for one use, with vectors of a length; 0 is for none.
type pool struct {
	use       string
	dimension int
	share     int // of how many of them one is for this use
}

// pools are what tests borrow: those of the pipeline, of the store alone,
// and of a change of vectors.
var pools = []pool{{"index", lang.Dimension, 1}, {"4", 4, 4}, {"0", 0, 4}, {"64", 64, 16}, {"96", 96, 16}}

// lend makes corpora for tests to borrow. Made one by one while tests run, each
// would have the server plan the statements of all others anew.
func lend(ctx context.Context, conn neotest.Conn, count int) (err error) {
	store, err := neo4jstore.Open(ctx, neo4jstore.Config{URI: conn.URI, Username: conn.User, Password: conn.Password})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close(context.WithoutCancel(ctx))) }()
	if err := store.EnsureSchema(ctx); err != nil {
		return err
	}
	for _, p := range pools {
		for range count / p.share {
			name := neotest.Name()
			if err := store.EnsureCorpus(ctx, name, p.dimension); err != nil {
				return err
			}
			if err := neotest.Lend(ctx, conn, p.use, name); err != nil {
				return err
			}
		}
	}
	return nil
}
