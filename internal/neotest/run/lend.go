package main

import (
	"context"
	"errors"

	"github.com/neorag/neorag/internal/lang"
	"github.com/neorag/neorag/internal/neo4jstore"
	"github.com/neorag/neorag/internal/neotest"
)

// lend makes corpora for tests to borrow. Made one by one while tests run, each
// would have the server plan the statements of all others anew.
func lend(ctx context.Context, conn neotest.Conn, count int) (err error) {
	if count == 0 {
		return nil
	}
	store, err := neo4jstore.Open(ctx, neo4jstore.Config{URI: conn.URI, Username: conn.User, Password: conn.Password})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close(context.WithoutCancel(ctx))) }()
	if err := store.EnsureSchema(ctx); err != nil {
		return err
	}
	for range count {
		name := neotest.Name()
		if err := store.EnsureCorpus(ctx, name, lang.Dimension); err != nil {
			return err
		}
		if err := neotest.Lend(ctx, conn, "index", name); err != nil {
			return err
		}
	}
	return nil
}
