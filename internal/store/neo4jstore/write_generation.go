package neo4jstore

import (
	"context"
	"fmt"

	"github.com/neorag/neorag/cypher"
	"github.com/neorag/neorag/internal/graph"
)

// memberRows is how many edges from members one transaction changes.
const memberRows = 20000

// OpenGeneration writes a hierarchy of entities next to the visible one, and returns the
// generation in which it will be visible. Communities that are in both stay unchanged, and
// get other ordinals and labels with the flip. The validity of communities that are missing
// from the new hierarchy ends with that generation, and that of new ones begins with it. New
// communities, and parents whose children changed, are marked to be reported. If an
// interrupted call wrote something else for the same generation, that is undone. If the
// visible hierarchy would not change, it returns the visible generation, after recording that
// its communities match the topology.
func (w *Writer) OpenGeneration(ctx context.Context, entities Entities, all []graph.Community) (int64, error) {
	c, err := w.store.Corpus(ctx, w.corpus)
	if err != nil {
		return 0, err
	}
	if err := w.renameCommunities(ctx, &c); err != nil {
		return 0, err
	}
	if err := w.sweep(ctx, c.Generation); err != nil {
		return 0, err
	}
	next := c.Generation + 1
	stored, err := w.storedCommunities(ctx)
	if err != nil {
		return 0, err
	}
	diff := diffGeneration(stored, all, next)
	diff.entities = entities
	if !diff.visible && c.Clustered >= 0 && c.Next <= c.Generation {
		if err := w.writeCommunities(ctx, &diff, next); err != nil || c.Clustered == c.Topology {
			return c.Generation, err
		}
		return c.Generation, w.set(ctx, "clustered", map[string]any{"clustered": c.Topology})
	}
	if c.Clustered >= 0 {
		// Until the flip, the hierarchy does not count as matching the topology.
		if err := w.set(ctx, "generation begun", map[string]any{"clustered": -1 - c.Clustered}); err != nil {
			return 0, err
		}
	}
	for _, step := range []func(context.Context, *generationDiff, int64) error{w.undoInterrupted, w.endCommunities, w.writeCommunities, w.writeHierarchy} {
		if err := step(ctx, &diff, next); err != nil {
			return 0, err
		}
	}
	return next, w.set(ctx, "generation opened", map[string]any{"next": next, "regrouped": next})
}

func (w *Writer) storedCommunities(ctx context.Context) ([]storedCommunity, error) {
	stored, err := pagedRows(ctx, w.store, cypher.ReadGenerationRows, w.corpus, nil, func(v values) storedCommunity {
		c := v.sub("community")
		s := storedCommunity{Community: communityOf(v), size: c.int("size"), since: c.whole("since"), until: c.whole("until"), older: c.flag("older"), members: v.int("members"), next: nextName{c.int("next_ordinal"), c.text("next_label")}}
		for _, p := range v.maps("parents") {
			s.parents = append(s.parents, parentEdge{p.text("key"), p.whole("since"), p.whole("until")})
		}
		return s
	}, func(c storedCommunity) string { return c.Key })
	if err != nil {
		return nil, fmt.Errorf("read communities of corpus %s: %w", w.corpus, err)
	}
	return stored, nil
}

// undoInterrupted undoes the writes of an interrupted call that are not wanted.
func (w *Writer) undoInterrupted(ctx context.Context, p *generationDiff, next int64) error {
	if err := batches(p.withdrawn, memberRows, communitySize.weight, func(part []communitySize) error {
		return w.writeMembers(ctx, "communities withdrawn", cypher.WriteMembersWithdrawn, part, next, func(tx *transaction, keys []string) error {
			return tx.each(ctx, cypher.WriteCommunitiesWithdrawn, w.corpus, map[string]any{"keys": keys}, nil)
		})
	}); err != nil {
		return err
	}
	return batches(p.restored, memberRows, communitySize.weight, func(part []communitySize) error {
		return w.writeMembers(ctx, "communities restored", cypher.WriteMembersRestored, part, next, func(tx *transaction, keys []string) error {
			return tx.exactly(ctx, cypher.WriteCommunitiesRestored, w.corpus, map[string]any{"keys": keys, "next": next}, len(keys))
		})
	})
}

// writeMembers runs a statement that changes a limited number of edges from members until
// none is left, and last, if not nil, in the last transaction.
func (w *Writer) writeMembers(ctx context.Context, point string, st cypher.Statement, part []communitySize, next int64, last func(*transaction, []string) error) error {
	keys := make([]string, len(part))
	for i := range part {
		keys[i] = part[i].key
	}
	for {
		var n int64
		err := w.write(ctx, point, func(tx *transaction) error {
			var err error
			n, err = tx.one(ctx, st, w.corpus, map[string]any{"keys": keys, "limit": memberRows, "next": next}, "n")
			if err == nil && n < memberRows && last != nil {
				err = last(tx, keys)
			}
			return err
		})
		if err != nil || n < memberRows {
			return err
		}
	}
}

// endCommunities ends communities first, then their edges: the community decides what is
// valid.
func (w *Writer) endCommunities(ctx context.Context, p *generationDiff, next int64) error {
	return batches(p.ended, memberRows, communitySize.weight, func(part []communitySize) error {
		keys := make([]string, len(part))
		for i := range part {
			keys[i] = part[i].key
		}
		if err := w.write(ctx, "communities ended", func(tx *transaction) error {
			return tx.exactly(ctx, cypher.WriteCommunitiesEnded, w.corpus, map[string]any{"keys": keys, "next": next}, len(keys))
		}); err != nil {
			return err
		}
		return w.writeMembers(ctx, "members ended", cypher.WriteMembersEnded, part, next, nil)
	})
}

// writeCommunities writes new communities and changed properties of others.
func (w *Writer) writeCommunities(ctx context.Context, p *generationDiff, next int64) error {
	if err := writeEach(ctx, w, "communities", cypher.WriteCommunities, p.written, countRow, next, true); err != nil {
		return err
	}
	return writeEach(ctx, w, "communities renamed", cypher.WriteCommunitiesRenamed, p.renamed, countRow, next, true)
}

// writeHierarchy writes the edges from members and to parents, and marks parents whose
// children changed.
func (w *Writer) writeHierarchy(ctx context.Context, p *generationDiff, next int64) error {
	if len(p.members) > 0 {
		if err := w.createMembers(ctx, p.members, p.entities.byKey(), next); err != nil {
			return err
		}
	}
	if err := writeEach(ctx, w, "former parents", cypher.WriteCommunityParentsEnded, p.parentsEnded, countRow, next, false); err != nil {
		return err
	}
	if err := writeEach(ctx, w, "parents", cypher.WriteCommunityParents, p.parents, countRow, next, true); err != nil {
		return err
	}
	return batches(p.marked, writeRows, countRow, func(part []string) error {
		return w.write(ctx, "parents marked", func(tx *transaction) error {
			return tx.each(ctx, cypher.WriteCommunitiesReported, w.corpus, map[string]any{"keys": part}, nil)
		})
	})
}

// createMembers writes the edges from members. Entities are found by their internal ids,
// which takes the same time in a graph of any size.
func (w *Writer) createMembers(ctx context.Context, parts []memberPart, ids map[string]int64, next int64) error {
	writes := make([]memberWrite, len(parts))
	for i, part := range parts {
		writes[i] = memberWrite{part, ids}
	}
	return writeEach(ctx, w, "members", cypher.WriteCommunityMembers, writes, memberWrite.weight, next, true)
}

// writeEach writes items in transactions of at most 2*writeRows rows, of which an item has
// as many as its weight. The rows are made for each transaction, because those of a
// hierarchy take many times the memory of its items. If counted is set, all must be
// written.
func writeEach[T interface{ row() any }](ctx context.Context, w *Writer, point string, st cypher.Statement, items []T, weight func(T) int, next int64, counted bool) error {
	return batches(items, 2*writeRows, weight, func(part []T) error {
		rows, want := make([]any, len(part)), 0
		for i, item := range part {
			rows[i] = item.row()
			want += weight(item)
		}
		return w.write(ctx, point, func(tx *transaction) error {
			params := map[string]any{"rows": rows, "next": next}
			if !counted {
				return tx.each(ctx, st, w.corpus, params, nil)
			}
			return tx.exactly(ctx, st, w.corpus, params, want)
		})
	})
}

// RecordClustered records how the visible communities were found.
func (w *Writer) RecordClustered(ctx context.Context, p Partition) error {
	c, err := w.store.Corpus(ctx, w.corpus)
	if err != nil || c.Clustered == p.Topology && c.Partition == p {
		return err
	}
	return w.set(ctx, "clustered", p.properties())
}
