package neo4jstore

import (
	"context"
	"fmt"

	"github.com/neorag/neorag/cypher"
	"github.com/neorag/neorag/internal/graph"
)

// memberRows bounds the edges from members that one transaction changes.
const memberRows = 20000

// OpenGeneration writes a hierarchy beside the visible one and returns the
// generation that it will be visible in: communities that stay are left as they
// are, those that go end with it, new ones begin with it and are marked to be
// reported, as are parents whose children changed. What an interrupted call
// wrote for the same generation is taken back where it does not belong. When
// readers would see nothing new it returns the visible generation, after
// noting that the communities fit the topology.
func (l *Writer) OpenGeneration(ctx context.Context, all []graph.Community) (int64, error) {
	c, err := l.store.Corpus(ctx, l.corpus)
	if err != nil {
		return 0, err
	}
	if err := l.sweep(ctx, c.Generation); err != nil {
		return 0, err
	}
	next := c.Generation + 1
	stand, err := l.standing(ctx)
	if err != nil {
		return 0, err
	}
	plan := planGeneration(stand, all, next)
	if !plan.moved && c.Clustered >= 0 && c.Next <= c.Generation {
		if err := l.writeCommunities(ctx, &plan, next); err != nil || c.Clustered == c.Topology {
			return c.Generation, err
		}
		return c.Generation, l.set(ctx, "clustered", map[string]any{"clustered": c.Topology})
	}
	if c.Clustered >= 0 {
		// Until the flip nobody takes the hierarchy for one that fits.
		if err := l.set(ctx, "generation begun", map[string]any{"clustered": -1}); err != nil {
			return 0, err
		}
	}
	for _, step := range []func(context.Context, *generationPlan, int64) error{l.takeBack, l.endCommunities, l.writeCommunities, l.writeHierarchy} {
		if err := step(ctx, &plan, next); err != nil {
			return 0, err
		}
	}
	return next, l.set(ctx, "generation opened", map[string]any{"next": next})
}

func (l *Writer) standing(ctx context.Context) ([]standing, error) {
	params := keyRange(l.corpus, "", 0)
	stand, err := rows(ctx, l.store, cypher.ReadGenerationRows, l.corpus, params, func(v values) standing {
		c := v.sub("community")
		s := standing{Community: communityOf(v), size: c.int("size"), since: c.whole("since"), until: c.whole("until"), members: v.int("members")}
		for _, p := range v.maps("parents") {
			s.parents = append(s.parents, parentEdge{p.text("key"), p.whole("since"), p.whole("until")})
		}
		return s
	})
	if err != nil {
		return nil, fmt.Errorf("read communities of corpus %s: %w", l.corpus, err)
	}
	return stand, nil
}

// takeBack undoes what an interrupted call did and that does not belong.
func (l *Writer) takeBack(ctx context.Context, p *generationPlan, next int64) error {
	if err := batches(p.withdrawn, memberRows, sized.weight, func(part []sized) error {
		return l.members(ctx, "communities withdrawn", cypher.WriteMembersWithdrawn, part, next, func(tx *transaction, keys []string) error {
			return tx.each(ctx, cypher.WriteCommunitiesWithdrawn, l.corpus, map[string]any{"keys": keys}, nil)
		})
	}); err != nil {
		return err
	}
	return batches(p.restored, memberRows, sized.weight, func(part []sized) error {
		return l.members(ctx, "communities restored", cypher.WriteMembersRestored, part, next, func(tx *transaction, keys []string) error {
			return tx.exactly(ctx, cypher.WriteCommunitiesRestored, l.corpus, map[string]any{"keys": keys, "next": next}, len(keys))
		})
	})
}

// members runs a statement over the edges from members, which handles a
// limited number at a time, and with its last round what follows.
func (l *Writer) members(ctx context.Context, point string, st cypher.Statement, part []sized, next int64, last func(*transaction, []string) error) error {
	keys := make([]string, len(part))
	for i := range part {
		keys[i] = part[i].key
	}
	for {
		var n int64
		err := l.write(ctx, point, func(tx *transaction) error {
			var err error
			n, err = tx.one(ctx, st, l.corpus, map[string]any{"keys": keys, "limit": memberRows, "next": next}, "n")
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

// endCommunities ends communities first, their edges after: the community
// decides what is valid.
func (l *Writer) endCommunities(ctx context.Context, p *generationPlan, next int64) error {
	return batches(p.ended, memberRows, sized.weight, func(part []sized) error {
		keys := make([]string, len(part))
		for i := range part {
			keys[i] = part[i].key
		}
		if err := l.write(ctx, "communities ended", func(tx *transaction) error {
			return tx.exactly(ctx, cypher.WriteCommunitiesEnded, l.corpus, map[string]any{"keys": keys, "next": next}, len(keys))
		}); err != nil {
			return err
		}
		return l.members(ctx, "members ended", cypher.WriteMembersEnded, part, next, nil)
	})
}

// writeCommunities writes new communities and what differs on others.
func (l *Writer) writeCommunities(ctx context.Context, p *generationPlan, next int64) error {
	return l.writeEach(ctx, "communities", cypher.WriteCommunities, p.written, writeRows, next, true)
}

// writeHierarchy writes the edges from members and to parents, and marks
// parents whose children changed.
func (l *Writer) writeHierarchy(ctx context.Context, p *generationPlan, next int64) error {
	if err := l.writeEach(ctx, "members", cypher.WriteCommunityMembers, p.members, 2*writeRows, next, true); err != nil {
		return err
	}
	if err := l.writeEach(ctx, "former parents", cypher.WriteCommunityParentsEnded, p.parentsEnded, writeRows, next, false); err != nil {
		return err
	}
	if err := l.writeEach(ctx, "parents", cypher.WriteCommunityParents, p.parents, writeRows, next, true); err != nil {
		return err
	}
	return batches(p.reported, writeRows, eachOne, func(part []string) error {
		return l.write(ctx, "parents marked", func(tx *transaction) error {
			return tx.each(ctx, cypher.WriteCommunitiesReported, l.corpus, map[string]any{"keys": part}, nil)
		})
	})
}

// writeEach writes rows in transactions of at most limit rows.
func (l *Writer) writeEach(ctx context.Context, point string, st cypher.Statement, rows []any, limit int, next int64, counted bool) error {
	return batches(rows, limit, eachOne, func(part []any) error {
		return l.write(ctx, point, func(tx *transaction) error {
			params := map[string]any{"rows": part, "next": next}
			if !counted {
				return tx.each(ctx, st, l.corpus, params, nil)
			}
			return tx.exactly(ctx, st, l.corpus, params, len(part))
		})
	})
}

// Flip makes generation next the visible one and notes the topology that its
// communities were made of. A generation that is visible already stays so.
func (l *Writer) Flip(ctx context.Context, next int64, topology int64) error {
	c, err := l.store.Corpus(ctx, l.corpus)
	if err != nil || c.Generation == next && c.Clustered == topology {
		return err
	}
	if c.Generation == next {
		return l.RecordClustered(ctx, topology)
	}
	if c.Generation != next-1 {
		return fmt.Errorf("flip corpus %s to generation %d: %d is visible", l.corpus, next, c.Generation)
	}
	return l.write(ctx, "flip", func(tx *transaction) error {
		params := map[string]any{"next": next, "topology": topology}
		return tx.exactly(ctx, cypher.WriteFlip, l.corpus, params, 1)
	})
}

// RecordClustered notes that the visible communities fit the topology.
func (l *Writer) RecordClustered(ctx context.Context, topology int64) error {
	c, err := l.store.Corpus(ctx, l.corpus)
	if err != nil || c.Clustered == topology {
		return err
	}
	return l.set(ctx, "clustered", map[string]any{"clustered": topology})
}
