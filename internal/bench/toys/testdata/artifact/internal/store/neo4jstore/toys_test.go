package neo4jstore_test

import (
	"context"
	"testing"

	"github.com/neorag/neorag/internal/store/neo4jstore"
)

func testToysWithLostAnswers(t *testing.T, plain *neo4jstore.Store, s *lossyStore) {
	t.Helper()
	checkArtifact(t, plain, s, func(store *neo4jstore.Store, corpus string) {
		withWriter(t, store, corpus, func(ctx context.Context, w *neo4jstore.Writer) error {
			if err := w.SetArtifact(ctx, neo4jstore.ArtifactToys, true); err != nil {
				return err
			}
			if _, err := w.MarkAll(ctx, "toys"); err != nil {
				return err
			}
			chunks, err := store.PendingToys(ctx, corpus, "", 100)
			if err != nil {
				return err
			}
			var made []neo4jstore.ToyWrite
			for i, c := range chunks {
				made = append(made, neo4jstore.ToyWrite{Key: c.Key, FP: "fp", Words: i})
			}
			return w.WriteToys(ctx, made)
		})
	}, func(ctx context.Context, w *neo4jstore.Writer) error {
		return w.DropArtifact(ctx, neo4jstore.ArtifactToys)
	})
}
