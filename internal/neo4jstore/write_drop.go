package neo4jstore

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"

	"github.com/neorag/neorag/cypher"
)

// dropBatch is how many nodes one transaction of a drop deletes.
const dropBatch = 10_000

// dropKinds are the kinds of nodes below a corpus. The ends of many edges come
// last, when most of their edges are gone.
var dropKinds = []string{
	"Passage", "Sentence", "Query", "Finding", "Report", "Claim", "Relationship", "Chunk", "Entity", "Community", "Document", "Run",
}

// DropCorpus deletes all nodes of a corpus in batches, then its indexes, then
// the corpus itself, and counts what the server changed. The owner is as in
// WithWriter; empty means a name like no other. It is refused with ErrLeased while
// another process writes. A drop that was interrupted goes on
// when called again, and dropping a corpus that is not there changes nothing.
func (s *Store) DropCorpus(ctx context.Context, corpus, owner string) (Counters, error) {
	var counters Counters
	if owner == "" {
		owner = "drop " + rand.Text()
	}
	err := s.WithWriter(ctx, corpus, owner, 0, func(ctx context.Context, lane *Writer) error {
		defer func() { counters = lane.Counters() }()
		for _, kind := range dropKinds {
			if err := lane.dropNodes(ctx, cypher.SchemaDropNodes.For(kind)); err != nil {
				return err
			}
		}
		if err := s.dropIndexes(ctx, corpus, func(index) bool { return true }); err != nil {
			return err
		}
		if err := lane.write(ctx, "dropped corpus", func(tx *transaction) error {
			return tx.each(ctx, cypher.SchemaDropCorpus, corpus, nil, nil)
		}); err != nil {
			return err
		}
		return lane.commit(ctx, "dropped lease", false, func(tx *transaction) error {
			return tx.each(ctx, cypher.SchemaDropLease, corpus, nil, nil)
		})
	})
	if err != nil {
		return counters, fmt.Errorf("dropping corpus %s: %w", corpus, err)
	}
	return counters, nil
}

// dropNodes deletes the nodes of a kind, fewer at a time where the server is
// short of memory.
func (l *Writer) dropNodes(ctx context.Context, st cypher.Statement) error {
	for limit := dropBatch; ; {
		var deleted int64
		err := l.write(ctx, "dropped nodes", func(tx *transaction) error {
			var err error
			deleted, err = tx.one(ctx, st, l.corpus, map[string]any{"limit": limit}, "n")
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

// DropVectors drops the vector indexes of the corpus, so that EnsureCorpus can
// make them for another dimension. The vectors stay until others take their place.
func (l *Writer) DropVectors(ctx context.Context) error {
	if err := l.store.dropIndexes(ctx, l.corpus, func(x index) bool { return x.kind == vectorIndex }); err != nil {
		return fmt.Errorf("drop the vector indexes of corpus %s: %w", l.corpus, err)
	}
	return nil
}

// dropIndexes drops those indexes on labels of the corpus that are meant.
func (s *Store) dropIndexes(ctx context.Context, corpus string, meant func(index) bool) error {
	shown, err := s.indexesOf(ctx, corpus)
	if err != nil {
		return err
	}
	var own []string
	for name, x := range shown {
		if x.of(corpus) && meant(x) {
			own = append(own, name)
		}
	}
	if len(own) == 0 {
		return nil
	}
	slices.Sort(own)
	// In one transaction: whenever indexes change, the server plans all
	// statements anew.
	return s.writeTx(ctx, func(tx *transaction) error {
		for _, name := range own {
			if err := tx.each(ctx, cypher.SchemaDropIndex, "", map[string]any{"name": name}, nil); err != nil {
				return fmt.Errorf("index %s: %w", name, err)
			}
		}
		return nil
	})
}
