package neo4jstore

import (
	"context"

	"github.com/neorag/neorag/cypher"
	"github.com/neorag/neorag/internal/graph"
)

// memberRows is how many edges from members one transaction changes.
const memberRows = 20000

// OpenGeneration writes a hierarchy of entities next to the visible one, and returns the
// generation in which it will be visible. Communities that are in both stay unchanged, and
// get other ordinals and labels with the flip. The validity of communities that are missing
// from the new hierarchy ends with that generation, and the life of new ones begins with it. New
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
	stored, err := pageSpec[storedCommunity]{
		statement: readGenerationRows, corpus: w.corpus, key: func(c storedCommunity) string { return c.Key },
	}.all(ctx, w.store)
	return stored, wrap(err, "read communities of corpus "+w.corpus)
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
			n, err = tx.one(ctx, st, w.corpus, map[string]any{"keys": keys, "limit": memberRows, "next": next})
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
	written := generationRows[communityWrite]{point: "communities", statement: cypher.WriteCommunities, items: p.written, next: next}
	if err := written.write(ctx, w); err != nil {
		return err
	}
	return generationRows[rename]{point: "communities renamed", statement: cypher.WriteCommunitiesRenamed, items: p.renamed, next: next}.write(ctx, w)
}

// writeHierarchy writes the edges from members and to parents, and marks parents whose
// children changed.
func (w *Writer) writeHierarchy(ctx context.Context, p *generationDiff, next int64) error {
	if len(p.members) > 0 {
		if err := w.createMembers(ctx, p.members, p.entities.byKey(), next); err != nil {
			return err
		}
	}
	ended := generationRows[parentLink]{point: "former parents", statement: cypher.WriteCommunityParentsEnded, items: p.parentsEnded, next: next, partly: true}
	if err := ended.write(ctx, w); err != nil {
		return err
	}
	parents := generationRows[parentLink]{point: "parents", statement: cypher.WriteCommunityParents, items: p.parents, next: next}
	if err := parents.write(ctx, w); err != nil {
		return err
	}
	return w.writeKeys(ctx, "parents marked", cypher.WriteCommunitiesReported, p.marked, nil)
}

// createMembers writes the edges from members. Entities are found by their internal ids,
// which takes the same time in a graph of any size.
func (w *Writer) createMembers(ctx context.Context, parts []memberPart, ids map[string]int64, next int64) error {
	writes := make([]memberWrite, len(parts))
	for i, part := range parts {
		writes[i] = memberWrite{part, ids}
	}
	members := generationRows[memberWrite]{point: "members", statement: cypher.WriteCommunityMembers, items: writes, weight: memberWrite.weight, next: next}
	return members.write(ctx, w)
}

// generationRows are rows that a statement writes for a generation, in transactions of at most
// 2*writeRows rows.
type generationRows[T interface{ row() any }] struct {
	point     string // names the transactions
	statement cypher.Statement
	items     []T
	weight    func(T) int // how many rows an item has; nil for one
	next      int64       // the generation
	partly    bool        // some rows may have nothing to write
}

// write writes the rows. They are made for each transaction, because the rows of a hierarchy take
// many times the memory of its items.
func (g generationRows[T]) write(ctx context.Context, w *Writer) error {
	weight := g.weight
	if weight == nil {
		weight = countRow
	}
	return batches(g.items, 2*writeRows, weight, func(part []T) error {
		rows, want := make([]any, len(part)), 0
		for i, item := range part {
			rows[i] = item.row()
			want += weight(item)
		}
		return w.write(ctx, g.point, func(tx *transaction) error {
			params := map[string]any{"rows": rows, "next": g.next}
			if g.partly {
				return tx.each(ctx, g.statement, w.corpus, params, nil)
			}
			return tx.exactly(ctx, g.statement, w.corpus, params, want)
		})
	})
}

// RecordClustered records how the visible communities were found.
func (w *Writer) RecordClustered(ctx context.Context, p Partition) error {
	same := func(c Corpus) bool { return c.Clustered == p.Topology && c.Partition == p }
	return w.setUnless(ctx, "clustered", same, p.properties())
}
