package neo4jstore

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/neorag/neorag/cypher"
)

// renameRows is how many communities get their ordinals and labels in one transaction. A heap
// of 1 GB is enough for it.
const renameRows = 100_000

var errManyNames = errors.New("more communities to rename than one transaction may")

// Flip makes generation next the visible one, in one transaction with the ordinals and labels
// that communities of both get, and records how its communities were found. If these are too
// many for one transaction, they are renamed after the flip, in several: until then some
// communities have the ordinals and labels of the generation before, and Sweep completes what
// was interrupted. It does nothing if next is already visible.
func (w *Writer) Flip(ctx context.Context, next int64, p Partition) error {
	c, err := w.store.Corpus(ctx, w.corpus)
	if err != nil {
		return err
	}
	if c.Generation == next {
		if err := w.renameCommunities(ctx, &c); err != nil {
			return err
		}
		return w.RecordClustered(ctx, p)
	}
	if c.Generation != next-1 {
		return fmt.Errorf("flip corpus %s to generation %d: the visible generation is %d", w.corpus, next, c.Generation)
	}
	limit := int64(w.store.pageOf(renameRows))
	flip := func(renaming bool) error {
		return w.write(ctx, "flip", func(tx *transaction) error {
			set := p.properties()
			if renaming {
				set["renaming"] = true
			} else if n, err := w.renamePage(ctx, tx, limit); err != nil || n == limit {
				return cmp.Or(err, errManyNames)
			}
			return tx.exactly(ctx, cypher.WriteFlip, w.corpus, map[string]any{"next": next, "set": set}, 1)
		})
	}
	err = flip(false)
	if !isTooLarge(err) && !errors.Is(err, errManyNames) {
		return err
	}
	if err := flip(true); err != nil {
		return err
	}
	c.Renaming = true
	return w.renameCommunities(ctx, &c)
}

// renameCommunities completes a flip that left ordinals and labels for later.
func (w *Writer) renameCommunities(ctx context.Context, c *Corpus) error {
	if !c.Renaming {
		return nil
	}
	if err := repeat(int64(w.store.pageOf(renameRows)), func(limit int64) (n int64, err error) {
		err = w.write(ctx, "communities renamed after the flip", func(tx *transaction) error {
			n, err = w.renamePage(ctx, tx, limit)
			return err
		})
		return n, err
	}); err != nil {
		return err
	}
	return w.set(ctx, "flip completed", map[string]any{"renaming": nil})
}

func (w *Writer) renamePage(ctx context.Context, tx *transaction, limit int64) (int64, error) {
	return tx.one(ctx, cypher.WriteFlipRenamed, w.corpus, keyRange(w.corpus, "", int(limit)))
}
