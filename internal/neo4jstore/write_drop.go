package neo4jstore

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"

	"github.com/neorag/neorag/cypher"
)

// dropBatch is how many nodes one transaction deletes.
const dropBatch = 10_000

// dropKinds are the kinds of nodes of a corpus, in the order of their deletion. Nodes
// with many edges come last, when most of their edges are deleted.
var dropKinds = []string{
	"Passage", "Sentence", "Query", "Finding", "Report", "Claim", "Relationship", "Chunk", "Entity", "Community", "Document", "Run",
}

// DropCorpus deletes all nodes of a corpus in batches, then its indexes, then the corpus
// itself, and returns the changes. The owner is as in WithWriter; "" is a random name.
// The error is ErrLeased while another process writes. A second call continues an
// interrupted one. Dropping a corpus that does not exist changes nothing.
func (s *Store) DropCorpus(ctx context.Context, corpus, owner string) (Counters, error) {
	var counters Counters
	if owner == "" {
		owner = "drop " + rand.Text()
	}
	err := s.WithWriter(ctx, corpus, owner, 0, func(ctx context.Context, w *Writer) error {
		defer func() { counters = w.Counters() }()
		for _, kind := range dropKinds {
			if err := w.dropNodes(ctx, cypher.SchemaDropNodes.For(kind)); err != nil {
				return err
			}
		}
		if err := s.dropIndexes(ctx, corpus, func(index) bool { return true }); err != nil {
			return err
		}
		if err := w.write(ctx, "dropped corpus", func(tx *transaction) error {
			return tx.each(ctx, cypher.SchemaDropCorpus, corpus, nil, nil)
		}); err != nil {
			return err
		}
		return w.DropLease(ctx)
	})
	if err != nil {
		return counters, fmt.Errorf("drop corpus %s: %w", corpus, err)
	}
	return counters, nil
}

// dropNodes deletes the nodes of a kind, in smaller batches if the server runs out of
// memory.
func (w *Writer) dropNodes(ctx context.Context, st cypher.Statement) error {
	for limit := dropBatch; ; {
		var deleted int64
		err := w.write(ctx, "dropped nodes", func(tx *transaction) error {
			var err error
			deleted, err = tx.one(ctx, st, w.corpus, map[string]any{"limit": limit}, "n")
			return err
		})
		switch {
		case limit > 1 && (errors.Is(err, ErrMemory) || errors.Is(err, errTooLong)):
			limit /= 2
		case err != nil:
			return err
		case deleted < int64(limit):
			return nil
		}
	}
}

// DropVectors drops the vector indexes of the corpus, so that EnsureCorpus can create
// them for another dimension. The vectors stay until they are replaced.
func (w *Writer) DropVectors(ctx context.Context) error {
	if err := w.store.dropIndexes(ctx, w.corpus, func(x index) bool { return x.kind == vectorIndex }); err != nil {
		return fmt.Errorf("drop the vector indexes of corpus %s: %w", w.corpus, err)
	}
	return nil
}

// dropIndexes drops the indexes of the corpus for which selected is true.
func (s *Store) dropIndexes(ctx context.Context, corpus string, selected func(index) bool) error {
	shown, err := s.indexesOf(ctx, corpus)
	if err != nil {
		return err
	}
	var own []string
	for name, x := range shown {
		if x.belongsTo(corpus) && selected(x) {
			own = append(own, name)
		}
	}
	slices.Sort(own)
	return s.dropNamed(ctx, own)
}

// dropNamed drops indexes by name in one transaction, because the server replans all
// statements whenever indexes change.
func (s *Store) dropNamed(ctx context.Context, names []string) error {
	if len(names) == 0 {
		return nil
	}
	return s.writeTx(ctx, func(tx *transaction) error {
		for _, name := range names {
			if err := tx.each(ctx, cypher.SchemaDropIndex, "", map[string]any{"name": name}, nil); err != nil {
				return fmt.Errorf("index %s: %w", name, err)
			}
		}
		return nil
	})
}
