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
	Unchanged   bool // only remove the mark
	Description string
	Terms       string
	NTokens     int
}

// edgeRunes is the length of the description on the edge of a relationship.
const edgeRunes = 120

// DescribeOptions configure what writes of descriptions mark. The zero value works.
type DescribeOptions struct {
	WithoutVectors bool // nodes of this kind are not embedded
	NoCommunities  bool // the corpus has no communities yet, so that none are to be reported
	Outside        bool // reports show relationships of a community to other entities
}

// WriteDescriptions writes the descriptions of entities or relationships. Changed ones
// are marked to be embedded, and their communities to be reported.
func (w *Writer) WriteDescriptions(ctx context.Context, kind graph.Kind, rows []Described, o DescribeOptions) error {
	write := cypher.WriteEntityDescriptions
	switch kind {
	case graph.KindEntity:
	case graph.KindRelationship:
		write = cypher.WriteRelationshipDescriptions
	default:
		return fmt.Errorf("write descriptions of corpus %s: a %s has no description", w.corpus, kind)
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
			set := map[string]any{"description": r.Description, "terms": r.Terms, "n_tokens": r.NTokens, "describe_fp": r.DescribeFP}
			if !o.WithoutVectors {
				set["todo_embed"] = w.corpus
			}
			changed = append(changed, map[string]any{"key": r.Key, "short": text.Shorten(text.OneLine(r.Description), edgeRunes), "set": set})
		}
		return w.write(ctx, "descriptions", func(tx *transaction) error {
			if err := tx.steps(ctx, w.corpus, []rowStep{
				{cypher.WriteDone.For(string(kind), "describe"), unchanged, true},
				{write, changed, true},
			}); err != nil || o.NoCommunities {
				return err
			}
			if kind == graph.KindRelationship {
				return w.reportRelationships(ctx, tx, changed, o.Outside)
			}
			return tx.rows(ctx, cypher.WriteEntitiesReported, w.corpus, changed, false)
		})
	})
}
