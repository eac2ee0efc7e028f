package neo4jstore

import (
	"context"
	"fmt"

	"github.com/neorag/neorag/cypher"
	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/text"
)

// Described is a description with its index terms.
type Described struct {
	Key         string
	DescribeFP  string
	Unchanged   bool // only the mark goes
	Description string
	Terms       string
	NTokens     int
}

// edgeRunes is how much of a relationship's description its edge carries.
const edgeRunes = 120

// WriteDescriptions writes the descriptions of entities or relationships. A
// changed one is marked to be embedded, and the reports about it are marked.
func (l *Writer) WriteDescriptions(ctx context.Context, kind graph.Kind, rows []Described) error {
	write, report := cypher.WriteEntityDescriptions, cypher.WriteEntitiesReported
	switch kind {
	case graph.KindEntity:
	case graph.KindRelationship:
		write, report = cypher.WriteRelationshipDescriptions, cypher.WriteRelationshipsReported
	default:
		return fmt.Errorf("write descriptions of corpus %s: a %s has none", l.corpus, kind)
	}
	rows = sortedBy(rows, func(r Described) string { return r.Key })
	weight := func(r Described) int { return len(r.Description) + len(r.Terms) + documentBytes/writeRows }
	return batches(rows, documentBytes, weight, func(part []Described) error {
		var changed, unchanged []any
		for _, r := range part {
			if r.Unchanged {
				unchanged = append(unchanged, map[string]any{"key": r.Key})
				continue
			}
			changed = append(changed, map[string]any{
				"key": r.Key, "short": text.Shorten(text.OneLine(r.Description), edgeRunes),
				"set": map[string]any{"description": r.Description, "terms": r.Terms, "n_tokens": r.NTokens, "describe_fp": r.DescribeFP},
			})
		}
		return l.write(ctx, "descriptions", func(tx *transaction) error {
			if err := tx.rows(ctx, cypher.WriteUnmarked.For(string(kind), "describe"), l.corpus, unchanged, true); err != nil {
				return err
			}
			if err := tx.rows(ctx, write, l.corpus, changed, true); err != nil {
				return err
			}
			return tx.rows(ctx, report, l.corpus, changed, false)
		})
	})
}
