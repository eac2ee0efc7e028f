package neo4jstore

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/neorag/neorag/cypher"
	"github.com/neorag/neorag/internal/graph"
)

// RelationshipDerived holds the derived values of a relationship. The fingerprint covers
// all its evidence including descriptions: an unchanged relationship is not described
// again.
type RelationshipDerived struct {
	Key       string
	DeriveFP  string
	Unchanged bool // only remove the mark
	Weight    int
	Strength  int
	Keywords  []string
}

// EntityDerived holds the derived values of an entity. The fingerprint covers all its
// evidence including descriptions: an unchanged entity is not described again.
type EntityDerived struct {
	Key       string
	DeriveFP  string
	Unchanged bool // only remove the mark
	Name      string
	Type      string
	TypeLabel string // empty for none
	Degree    int
	Frequency int
	Absent    bool     // no chunk that mentions it holds its name
	Aliases   []string // its other names
}

// DeriveOptions configure what writes of derived values mark. The zero value works.
type DeriveOptions struct {
	ByStrength    bool // the weight of an edge is the strength of its relationship, not the count
	NoCommunities bool // the corpus has no communities yet, so that none are to be reported
	Outside       bool // reports show relationships of a community to other entities
	// Synonyms is the number of members of a full list of synonyms, 0 for a corpus without
	// synonyms.
	Synonyms int
}

// WriteRelationships writes the values and edges of the relationships in rows. gone lists
// the keys of relationships that may have lost their last mention: those that have none
// are deleted with their edges. Both writes mark what has to be redone: the two entities
// of a deleted relationship or new edge to be derived, the communities of both entities
// of a deleted or changed relationship, or of one of them, to be reported, and a changed relationship to be
// described. If an edge was added, removed or changed its weight, the corpus's topology
// counter is incremented in the same transaction.
func (w *Writer) WriteRelationships(ctx context.Context, rows []RelationshipDerived, gone []string, o DeriveOptions) error {
	if err := batches(slices.Sorted(slices.Values(gone)), writeRows, countRow, func(part []string) error {
		return w.write(ctx, "relationships removed", func(tx *transaction) error {
			return w.runAndCountEdges(ctx, tx, writeRelationshipsGone, map[string]any{"keys": part, "outside": o.Outside}, -1)
		})
	}); err != nil {
		return err
	}
	rows = sortedBy(rows, func(r RelationshipDerived) string { return r.Key })
	return batches(rows, writeRows, countRow, func(part []RelationshipDerived) error {
		var changed, unchanged []any
		for _, r := range part {
			if r.Unchanged {
				unchanged = append(unchanged, map[string]any{"key": r.Key})
				continue
			}
			changed = append(changed, map[string]any{
				"key": r.Key, "fp": r.DeriveFP, "weight": r.Weight, "strength": r.Strength, "keywords": listOrEmpty(r.Keywords),
			})
		}
		return w.write(ctx, "relationships", func(tx *transaction) error {
			if err := tx.rows(ctx, cypher.WriteDone.For("Relationship", "derive"), w.corpus, unchanged, true); err != nil || len(changed) == 0 {
				return err
			}
			if err := w.runAndCountEdges(ctx, tx, writeRelationships, map[string]any{"rows": changed, "by_strength": o.ByStrength}, len(changed)); err != nil || o.NoCommunities {
				return err
			}
			return w.reportRelationships(ctx, tx, changed, o.Outside)
		})
	})
}

// reportRelationships marks the communities of changed relationships to be reported.
func (w *Writer) reportRelationships(ctx context.Context, tx *transaction, changed []any, outside bool) error {
	if len(changed) == 0 {
		return nil
	}
	return tx.each(ctx, cypher.WriteRelationshipsReported, w.corpus, map[string]any{"rows": changed, "outside": outside}, nil)
}

// runAndCountEdges runs a statement that returns how many edges changed, and increments
// the topology counter if any did. want is the number of rows that must be written, or
// -1.
func (w *Writer) runAndCountEdges(ctx context.Context, tx *transaction, st typed[relationshipsRow], params map[string]any, want int) error {
	var n, edges int
	err := tx.each(ctx, st.Statement, w.corpus, params, st.each(func(row relationshipsRow) { n, edges = row.N, row.Edges }))
	if err != nil {
		return err
	}
	if want >= 0 && n != want {
		return fmt.Errorf("statement %s: %w: %d of %d rows were written", st.Statement, ErrMissingEnd, n, want)
	}
	if edges == 0 {
		return nil
	}
	return tx.exactly(ctx, cypher.WriteTopology, w.corpus, map[string]any{"edges": edges}, 1)
}

// WriteEntities writes the values of the entities in rows. gone lists the keys of
// entities that may have lost their last mention: those that have none are deleted. A
// changed entity is marked to be described and its communities to be reported; if its
// name changed, its relationships are marked to be described. The label of the type is
// replaced. In a corpus with synonyms, an entity that is new or changes its name is marked
// for them, and so is one that loses a member of a full list.
func (w *Writer) WriteEntities(ctx context.Context, rows []EntityDerived, gone []string, o DeriveOptions) error {
	for _, r := range rows {
		if r.TypeLabel != "" && !graph.IsTypeLabel(r.TypeLabel) {
			return fmt.Errorf("write entity %s: %q is not a valid label of a type", r.Key, r.TypeLabel)
		}
	}
	if err := batches(slices.Sorted(slices.Values(gone)), writeRows, countRow, func(part []string) error {
		return w.write(ctx, "entities removed", func(tx *transaction) error {
			if err := tx.steps(ctx, w.corpus, []rowStep{o.synonymsGone(part, func(string) any { return nil })}); err != nil {
				return err
			}
			return tx.each(ctx, cypher.WriteEntitiesGone, w.corpus, map[string]any{"keys": part}, nil)
		})
	}); err != nil {
		return err
	}
	rows = sortedBy(rows, func(r EntityDerived) string { return r.Key })
	return batches(rows, writeRows, countRow, func(part []EntityDerived) error {
		var changed, unchanged []any
		var keys []string
		names := map[string]string{}
		for _, r := range part {
			if r.Unchanged {
				unchanged = append(unchanged, map[string]any{"key": r.Key})
				continue
			}
			keys, names[r.Key] = append(keys, r.Key), r.Name
			changed = append(changed, map[string]any{
				"key": r.Key, "fp": r.DeriveFP, "name": r.Name, "type": optional(r.Type), "type_label": optional(r.TypeLabel),
				"degree": r.Degree, "frequency": r.Frequency, "absent": optional(r.Absent), "aliases": optionalList(r.Aliases), "synonyms": o.Synonyms > 0,
			})
		}
		if err := w.markRenamedHubs(ctx, part); err != nil {
			return err
		}
		return w.write(ctx, "entities", func(tx *transaction) error {
			if err := tx.steps(ctx, w.corpus, []rowStep{
				{cypher.WriteDone.For("Entity", "derive"), unchanged, true},
				o.synonymsGone(keys, func(key string) any { return names[key] }),
			}); err != nil {
				return err
			}
			if len(changed) > 0 {
				params := map[string]any{"rows": changed, "limit": math.MaxInt64}
				if err := tx.each(ctx, cypher.WriteEntitiesRenamed, w.corpus, params, nil); err != nil {
					return err
				}
			}
			steps := []rowStep{{cypher.WriteEntitiesTyped, changed, false}}
			if !o.NoCommunities {
				steps = append(steps, rowStep{cypher.WriteEntitiesReported, changed, false})
			}
			return tx.steps(ctx, w.corpus, append(steps, rowStep{cypher.WriteEntities, changed, true}))
		})
	})
}

// hubDegree is the number of relationships from which the relationships of a renamed entity are marked
// in separate transactions.
const hubDegree = 2500

// markRenamedHubs marks the relationships of hubs in rows whose name changes to be
// described. It commits before the names change, so that an interrupted call is repeated
// as a whole.
func (w *Writer) markRenamedHubs(ctx context.Context, rows []EntityDerived) error {
	var hubs []any
	for _, r := range rows {
		if !r.Unchanged && r.Degree >= w.store.pageOf(hubDegree) {
			hubs = append(hubs, map[string]any{"key": r.Key, "name": r.Name})
		}
	}
	if len(hubs) == 0 {
		return nil
	}
	return w.writeUntilDone(ctx, "relationships of renamed hubs", cypher.WriteEntitiesRenamed, memberRows, map[string]any{"rows": hubs})
}
