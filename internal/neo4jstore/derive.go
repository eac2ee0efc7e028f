package neo4jstore

import (
	"context"
	"fmt"
	"regexp"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/neorag/neorag/cypher"
	"github.com/neorag/neorag/internal/graph"
)

// RelationshipMentionProps is what one chunk says of a relationship.
type RelationshipMentionProps struct {
	Descriptions []string
	Keywords     []string
	Strength     int
	Count        int
	Forward      int
}

// RelationshipEvidence is what a relationship's values are derived from.
type RelationshipEvidence struct {
	Key      string
	Source   string
	Target   string
	DeriveFP string
	Mentions []RelationshipMentionProps
}

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

// EntityMentionProps is what one chunk says of an entity.
type EntityMentionProps struct {
	Names        []string
	Types        []string
	Descriptions []string
}

// EntityEvidence is what an entity's values are derived from.
type EntityEvidence struct {
	Key      string
	DeriveFP string
	Name     string
	Type     string
	Degree   int
	Mentions []EntityMentionProps
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

// writeRows bounds the rows of one transaction where they are small.
const writeRows = 2000

// PendingDeriveRelationships reads marked relationships after the key given,
// in key order, until their mentions reach the budget.
func (s *Store) PendingDeriveRelationships(ctx context.Context, corpus, after string, mentions int) ([]RelationshipEvidence, error) {
	return pageByMentions(ctx, s, cypher.ReadPendingDeriveRelationships, corpus, after, mentions, func(v values) (RelationshipEvidence, int) {
		r := RelationshipEvidence{Key: v.text("key"), Source: v.text("source"), Target: v.text("target"), DeriveFP: v.text("derive_fp")}
		for _, m := range v.maps("mentions") {
			r.Mentions = append(r.Mentions, RelationshipMentionProps{
				Descriptions: m.texts("descriptions"), Keywords: m.texts("keywords"),
				Strength: m.int("strength"), Count: m.int("count"), Forward: m.int("forward"),
			})
		}
		return r, len(r.Mentions)
	})
}

// PendingDeriveEntities reads marked entities after the key given, in key
// order, until their mentions reach the budget.
func (s *Store) PendingDeriveEntities(ctx context.Context, corpus, after string, mentions int) ([]EntityEvidence, error) {
	return pageByMentions(ctx, s, cypher.ReadPendingDeriveEntities, corpus, after, mentions, func(v values) (EntityEvidence, int) {
		e := EntityEvidence{Key: v.text("key"), DeriveFP: v.text("derive_fp"), Name: v.text("name"), Type: v.text("type"), Degree: v.int("degree")}
		for _, m := range v.maps("mentions") {
			e.Mentions = append(e.Mentions, EntityMentionProps{Names: m.texts("names"), Types: m.texts("types"), Descriptions: m.texts("descriptions")})
		}
		return e, len(e.Mentions)
	})
}

// pageByMentions reads rows until their mentions reach the budget, at least
// one row: a hub alone may have more.
func pageByMentions[T any](ctx context.Context, s *Store, st cypher.Statement, corpus, after string, mentions int, item func(values) (T, int)) ([]T, error) {
	params := map[string]any{"after": max(after, graph.Key(corpus, "")), "limit": max(mentions, 1)}
	var items []T
	err := s.readOne(ctx, func(tx *transaction) error {
		items = nil
		sum := 0
		return tx.each(ctx, st, corpus, params, func(r *neo4j.Record) error {
			it, n := item(r.AsMap())
			if sum += max(n, 1); sum > mentions && len(items) > 0 {
				return errStop
			}
			items = append(items, it)
			return nil
		})
	})
	if err != nil {
		return nil, fmt.Errorf("read pending work of corpus %s: %w", corpus, err)
	}
	return items, nil
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

func same(key string) string { return key }
