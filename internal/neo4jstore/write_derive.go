package neo4jstore

import (
	"context"
	"fmt"
	"regexp"

	"github.com/neorag/neorag/cypher"
)

// RelationshipDerived is the values of a relationship. The fingerprint is of
// all its evidence, descriptions too: an unchanged one is not described again.
type RelationshipDerived struct {
	Key       string
	DeriveFP  string
	Unchanged bool // only the mark goes
	Weight    int
	Strength  int
	Keywords  []string
}

// EntityDerived is the values of an entity. The fingerprint is of all its
// evidence, descriptions too: an unchanged one is not described again.
type EntityDerived struct {
	Key       string
	DeriveFP  string
	Unchanged bool // only the mark goes
	Name      string
	Type      string
	TypeLabel string // empty for none
	Degree    int
	Frequency int
}

// WriteRelationships deletes the relationships of gone that have no mentions
// any more, with their edges, and writes values and edges of the others. A
// deleted relationship marks its ends and the reports about both, a new edge
// marks its ends, and a changed relationship is marked to be described. When
// an edge came, went or changed its weight, the topology moves on in the same
// transaction.
func (l *Writer) WriteRelationships(ctx context.Context, rows []RelationshipDerived, gone []string) error {
	if err := batches(sortedBy(gone, same), writeRows, eachOne, func(part []string) error {
		return l.write(ctx, "relationships removed", func(tx *transaction) error {
			return l.moving(ctx, tx, cypher.WriteRelationshipsGone, map[string]any{"keys": part}, -1)
		})
	}); err != nil {
		return err
	}
	rows = sortedBy(rows, func(r RelationshipDerived) string { return r.Key })
	return batches(rows, writeRows, eachOne, func(part []RelationshipDerived) error {
		var changed, unchanged []any
		for _, r := range part {
			if r.Unchanged {
				unchanged = append(unchanged, map[string]any{"key": r.Key})
				continue
			}
			changed = append(changed, map[string]any{
				"key": r.Key, "fp": r.DeriveFP, "weight": r.Weight, "strength": r.Strength, "keywords": texts(r.Keywords),
			})
		}
		return l.write(ctx, "relationships", func(tx *transaction) error {
			if err := tx.rows(ctx, cypher.WriteUnmarked.For("Relationship", "derive"), l.corpus, unchanged, true); err != nil || len(changed) == 0 {
				return err
			}
			if err := l.moving(ctx, tx, cypher.WriteRelationships, map[string]any{"rows": changed}, len(changed)); err != nil {
				return err
			}
			return tx.rows(ctx, cypher.WriteRelationshipsReported, l.corpus, changed, false)
		})
	})
}

// moving runs a statement that returns how many edges changed and, when any
// did, moves the topology on. Want is the number of rows meant, or -1.
func (l *Writer) moving(ctx context.Context, tx *transaction, st cypher.Statement, params map[string]any, want int) error {
	var n, edges int
	err := tx.each(ctx, st, l.corpus, params, eachRow(func(v values) { n, edges = v.int("n"), v.int("edges") }))
	if err != nil {
		return err
	}
	if want >= 0 && n != want {
		return fmt.Errorf("statement %s: %w: %d of %d rows were written", st, ErrMissingEnd, n, want)
	}
	if edges == 0 {
		return nil
	}
	return tx.exactly(ctx, cypher.WriteTopology, l.corpus, nil, 1)
}

var typeLabel = regexp.MustCompile(`^[A-Z][A-Za-z0-9]*$`)

// checkTypeLabel refuses what is no label, and the labels of the graph's own nodes.
func checkTypeLabel(label string) error {
	if label == "" {
		return nil
	}
	for _, kind := range kinds {
		if label == string(kind) {
			return fmt.Errorf("label %s is taken by the graph itself", label)
		}
	}
	if !typeLabel.MatchString(label) {
		return fmt.Errorf("label %q: a type's label is upper camel case", label)
	}
	return nil
}

// WriteEntities deletes the entities of gone that have no mentions any more
// and writes the values of the others. A changed entity is marked to be
// described, its communities to be reported, and under a new name its
// relationships to be described. The label of the type is swapped.
func (l *Writer) WriteEntities(ctx context.Context, rows []EntityDerived, gone []string) error {
	for _, r := range rows {
		if err := checkTypeLabel(r.TypeLabel); err != nil {
			return fmt.Errorf("write entity %s: %w", r.Key, err)
		}
	}
	if err := batches(sortedBy(gone, same), writeRows, eachOne, func(part []string) error {
		return l.write(ctx, "entities removed", func(tx *transaction) error {
			return tx.each(ctx, cypher.WriteEntitiesGone, l.corpus, map[string]any{"keys": part}, nil)
		})
	}); err != nil {
		return err
	}
	rows = sortedBy(rows, func(r EntityDerived) string { return r.Key })
	return batches(rows, writeRows, eachOne, func(part []EntityDerived) error {
		var changed, unchanged []any
		for _, r := range part {
			if r.Unchanged {
				unchanged = append(unchanged, map[string]any{"key": r.Key})
				continue
			}
			changed = append(changed, map[string]any{
				"key": r.Key, "fp": r.DeriveFP, "name": r.Name, "type": optional(r.Type), "type_label": optional(r.TypeLabel),
				"degree": r.Degree, "frequency": r.Frequency,
			})
		}
		return l.write(ctx, "entities", func(tx *transaction) error {
			if err := tx.rows(ctx, cypher.WriteUnmarked.For("Entity", "derive"), l.corpus, unchanged, true); err != nil {
				return err
			}
			for _, st := range []cypher.Statement{cypher.WriteEntitiesRenamed, cypher.WriteEntitiesTyped, cypher.WriteEntitiesReported} {
				if err := tx.rows(ctx, st, l.corpus, changed, false); err != nil {
					return err
				}
			}
			return tx.rows(ctx, cypher.WriteEntities, l.corpus, changed, true)
		})
	})
}
