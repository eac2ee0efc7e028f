package neo4jstore

import (
	"context"

	"github.com/neorag/neorag/cypher"
	"github.com/neorag/neorag/internal/graph"
)

// mergedSeparator is between two names that were merged, as the corpus stores them.
const mergedSeparator = "\x1f"

// SetNameDecisions records what a person decided about names, and marks the entities with these
// keys to be derived, in one transaction.
func (w *Writer) SetNameDecisions(ctx context.Context, d graph.NameDecisions, keys []string) error {
	var merged []string
	for _, p := range d.Merged {
		merged = append(merged, p[0]+mergedSeparator+p[1])
	}
	return w.write(ctx, "decisions", func(tx *transaction) error {
		if err := w.setTx(ctx, tx, map[string]any{"merged": optionalList(merged), "split": optionalList(d.Split)}); err != nil {
			return err
		}
		return tx.each(ctx, cypher.WriteEntitiesMarked, w.corpus, map[string]any{"keys": keys}, nil)
	})
}

// WriteNamePairs records pairs of names that a model was asked about.
func (w *Writer) WriteNamePairs(ctx context.Context, pairs []graph.NamePair) error {
	return w.writeSorted(ctx, "name pairs", rowStep{cypher.WriteNamePairs, w.namePairRows(pairs), true})
}

// DeleteNamePairs deletes pairs of names.
func (w *Writer) DeleteNamePairs(ctx context.Context, pairs []graph.NamePair) error {
	return w.writeSorted(ctx, "name pairs gone", rowStep{cypher.WriteNamePairsGone, w.namePairRows(pairs), false})
}

func (w *Writer) namePairRows(pairs []graph.NamePair) []any {
	rows := make([]any, len(pairs))
	for i, p := range pairs {
		rows[i] = map[string]any{"key": graph.NamePairKey(w.corpus, p.A, p.B), "a": p.A, "b": p.B, "same": p.Same}
	}
	return rows
}
