package neo4jstore

import (
	"context"

	"github.com/neorag/neorag/cypher"
)

// sweepRows bounds the reports that one transaction deletes.
const sweepRows = 2000

// Sweep deletes communities and reports that ended with the generation or
// before, with all that hangs on them, and notes it. References to a report
// that has a successor go over to that one.
func (l *Writer) Sweep(ctx context.Context, generation int64) error {
	if err := l.sweep(ctx, generation); err != nil {
		return err
	}
	c, err := l.store.Corpus(ctx, l.corpus)
	if err != nil || c.Swept == generation {
		return err
	}
	return l.set(ctx, "swept", map[string]any{"swept": generation})
}

// sweep looks before it writes: mostly there is nothing.
func (l *Writer) sweep(ctx context.Context, generation int64) error {
	params := map[string]any{"generation": generation, "limit": sweepRows}
	reports, err := rows(ctx, l.store, cypher.ReadEndedReports, l.corpus, params, func(v values) int { return v.int("n") })
	if err != nil {
		return err
	}
	if len(reports) > 0 && reports[0] > 0 {
		if err := l.sweepReports(ctx, params); err != nil {
			return err
		}
	}
	communities, err := rows(ctx, l.store, cypher.ReadEndedCommunities, l.corpus, params, func(v values) sized {
		return sized{v.text("key"), v.int("size")}
	})
	if err != nil {
		return err
	}
	return batches(communities, memberRows, sized.weight, func(part []sized) error {
		return l.members(ctx, "communities swept", cypher.WriteMembersWithdrawn, part, generation, func(tx *transaction, keys []string) error {
			return tx.each(ctx, cypher.WriteSweepCommunities, l.corpus, map[string]any{"keys": keys}, nil)
		})
	})
}

func (l *Writer) sweepReports(ctx context.Context, params map[string]any) error {
	err := l.write(ctx, "references moved", func(tx *transaction) error {
		return tx.each(ctx, cypher.WriteSweepRepointed, l.corpus, params, nil)
	})
	for err == nil {
		var n int64
		err = l.write(ctx, "reports swept", func(tx *transaction) error {
			var err error
			n, err = tx.one(ctx, cypher.WriteSweepReports, l.corpus, params, "n")
			return err
		})
		if n < sweepRows {
			break
		}
	}
	return err
}
