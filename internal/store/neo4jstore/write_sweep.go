package neo4jstore

import (
	"cmp"
	"context"
	"slices"

	"github.com/neorag/neorag/cypher"
)

// sweepRows is how many reports one transaction deletes.
const sweepRows = 2000

// Sweep deletes communities and reports that ended with the generation or before, with
// their findings and edges, and records on the corpus that this generation was swept.
// Citations of a report that has a successor are redirected to it. It first completes an
// interrupted flip.
func (w *Writer) Sweep(ctx context.Context, generation int64) error {
	c, err := w.store.Corpus(ctx, w.corpus)
	if err != nil {
		return err
	}
	if err := w.renameCommunities(ctx, &c); err != nil {
		return err
	}
	if err := w.sweep(ctx, generation); err != nil || c.Swept == generation {
		return err
	}
	return w.set(ctx, "swept", map[string]any{"swept": generation})
}

// An endedCommunity is a community to delete, with its internal id.
type endedCommunity struct {
	communitySize

	id int64
}

// sweep reads before it writes: usually there is nothing to delete.
func (w *Writer) sweep(ctx context.Context, generation int64) error {
	params := map[string]any{"generation": generation}
	reports, err := w.store.countPages(ctx, readEndedReports, w.corpus, params)
	if err != nil {
		return err
	}
	if reports > 0 {
		if err := w.sweepReports(ctx, generation); err != nil {
			return err
		}
	}
	ended, err := pageSpec[endedCommunity]{
		statement: readEndedCommunities, corpus: w.corpus, params: params, key: func(c endedCommunity) string { return c.key },
	}.all(ctx, w.store)
	if err != nil {
		return err
	}
	// As they were written: the records of a community and of those below it are near each other.
	slices.SortFunc(ended, func(a, b endedCommunity) int { return cmp.Compare(a.id, b.id) })
	communities := make([]communitySize, len(ended))
	for i, c := range ended {
		communities[i] = c.communitySize
	}
	return batches(communities, memberRows, communitySize.weight, func(part []communitySize) error {
		return w.writeMembers(ctx, "communities swept", cypher.WriteMembersWithdrawn, part, generation, func(tx *transaction, keys []string) error {
			return tx.each(ctx, cypher.WriteSweepCommunities, w.corpus, map[string]any{"keys": keys}, nil)
		})
	})
}

// sweepReports deletes ended reports in as many transactions as necessary, each after
// redirecting the citations of its reports.
func (w *Writer) sweepReports(ctx context.Context, generation int64) error {
	return repeat(int64(w.store.pageOf(sweepRows)), func(limit int64) (n int64, err error) {
		params := map[string]any{"generation": generation, "limit": limit}
		err = w.write(ctx, "reports swept", func(tx *transaction) error {
			if err := tx.each(ctx, cypher.WriteSweepRepointed, w.corpus, params, nil); err != nil {
				return err
			}
			n, err = tx.one(ctx, cypher.WriteSweepReports, w.corpus, params)
			return err
		})
		return n, err
	})
}
