package main

import (
	"context"
	"errors"

	"golang.org/x/sync/errgroup"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/neo4jstore"
	"github.com/neorag/neorag/internal/neo4jtest"
	"github.com/neorag/neorag/internal/textproc"
)

// A pool is corpora for one use.
type pool struct {
	use     string
	vectors neo4jstore.Vectors
	share   int // one of this many corpora is for this use
}

// pools are the corpora that tests borrow: those of the pipeline, of the store alone,
// and of tests that change the vectors.
var pools = []pool{
	{"index", neo4jstore.Vectors{Dimension: textproc.Dimension, Kinds: []graph.Kind{graph.KindChunk, graph.KindReport}}, 1},
	{"4", neo4jstore.Vectors{Dimension: 4}, 2},
	{"0", neo4jstore.Vectors{}, 4},
	{"64", neo4jstore.Vectors{Dimension: 64}, 12},
	{"96", neo4jstore.Vectors{Dimension: 96}, 12},
}

// lend creates corpora for tests to borrow. If tests created them one by one, each would
// make the server replan the statements of all others.
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
	making.SetLimit(4) // the server mostly waits for new indexes
	for _, p := range pools {
		for range count / p.share {
			making.Go(func() error {
				name := neo4jtest.Name()
				if err := store.WithWriter(gctx, name, "lend "+name, 0, func(ctx context.Context, w *neo4jstore.Writer) error {
					if err := w.CreateCorpus(ctx); err != nil {
						return err
					}
					return w.EnsureIndexes(ctx, p.vectors)
				}); err != nil {
					return err
				}
				return neo4jtest.Lend(gctx, conn, p.use, name)
			})
		}
	}
	return making.Wait()
}
