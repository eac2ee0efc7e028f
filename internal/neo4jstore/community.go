package neo4jstore

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/neorag/neorag/cypher"
	"github.com/neorag/neorag/internal/graph"
)

// An Edge joins two entities by their positions in Adjacency.Keys.
type Edge struct {
	Source int32
	Target int32
	Weight int
}

// Adjacency is the graph of entities that have a relationship.
type Adjacency struct {
	Keys  []string // sorted
	Edges []Edge   // by source, then target
}

// Adjacency reads the edges between entities, weighted by "count" (how many
// records) or "strength".
func (s *Store) Adjacency(ctx context.Context, corpus string, weight string) (Adjacency, error) {
	st, ok := map[string]cypher.Statement{"count": cypher.ReadAdjacencyCount, "strength": cypher.ReadAdjacencyStrength}[weight]
	if !ok {
		return Adjacency{}, fmt.Errorf("read the edges of corpus %s: weight %q is neither count nor strength", corpus, weight)
	}
	var a Adjacency
	err := s.readTx(ctx, func(tx *transaction) error {
		var err error
		a = Adjacency{}
		var position func(id int64) (int32, bool)
		if a.Keys, position, err = readPositions(ctx, tx, corpus); err != nil {
			return err
		}
		missing := false
		err = tx.each(ctx, st, corpus, nil, eachRow(func(v values) {
			targets, _ := v["targets"].([]any)
			weights, _ := v["weights"].([]any)
			source, known := position(v.whole("source"))
			if missing = missing || !known || len(targets) != len(weights); missing {
				return
			}
			for i := range targets {
				id, _ := targets[i].(int64)
				w, _ := weights[i].(int64)
				target, known := position(id)
				missing = missing || !known
				a.Edges = append(a.Edges, Edge{Source: source, Target: target, Weight: int(w)})
			}
		}))
		if err == nil && missing {
			err = fmt.Errorf("%w: the graph changed while it was read", ErrMissingEnd)
		}
		return err
	})
	if err != nil {
		return Adjacency{}, fmt.Errorf("read the edges of corpus %s: %w", corpus, err)
	}
	slices.SortFunc(a.Edges, func(x, y Edge) int { return cmp.Or(cmp.Compare(x.Source, y.Source), cmp.Compare(x.Target, y.Target)) })
	return a, nil
}

// readPositions reads the keys of entities that have an edge, sorted, and
// returns how to find a position by the server's internal id, which holds
// within one transaction.
func readPositions(ctx context.Context, tx *transaction, corpus string) ([]string, func(int64) (int32, bool), error) {
	type node struct {
		id  int64
		key string
	}
	var nodes []node
	var most int64
	err := tx.each(ctx, cypher.ReadAdjacencyKeys, corpus, nil, eachRow(func(v values) {
		nodes = append(nodes, node{v.whole("id"), v.text("key")})
		most = max(most, v.whole("id"))
	}))
	if err != nil {
		return nil, nil, err
	}
	slices.SortFunc(nodes, func(a, b node) int { return cmp.Compare(a.key, b.key) })
	keys := make([]string, len(nodes))
	if most > int64(len(nodes))*64+1<<20 {
		byID := make(map[int64]int32, len(nodes))
		for i, n := range nodes {
			keys[i], byID[n.id] = n.key, int32(i)
		}
		return keys, func(id int64) (int32, bool) { p, ok := byID[id]; return p, ok }, nil
	}
	byID := make([]int32, most+1) // position + 1
	for i, n := range nodes {
		keys[i], byID[n.id] = n.key, int32(i)+1
	}
	return keys, func(id int64) (int32, bool) {
		if id < 0 || id > most || byID[id] == 0 {
			return 0, false
		}
		return byID[id] - 1, true
	}, nil
}

// Communities lists the communities that are valid in the generation, by level
// and ordinal, with their sorted members when asked.
func (s *Store) Communities(ctx context.Context, corpus string, generation int64, members bool) ([]graph.Community, error) {
	params := keyRange(corpus, "", 0)
	params["generation"] = generation
	communities, err := rows(ctx, s, cypher.ReadCommunities, corpus, params, communityOf)
	if err == nil && members {
		err = s.fillMembers(ctx, corpus, communities)
	}
	if err != nil {
		return nil, fmt.Errorf("read communities of corpus %s: %w", corpus, err)
	}
	return communities, nil
}

func communityOf(v values) graph.Community {
	c := v.sub("community")
	return graph.Community{
		Key: c.text("key"), Level: c.int("level"), Ordinal: c.int("ordinal"), Label: c.text("label"),
		Parent: v.text("parent"), Weight: c.int("weight"), Final: c.flag("final"),
	}
}

// fillMembers reads the members of communities. A community's members never
// change: others would make another community.
func (s *Store) fillMembers(ctx context.Context, corpus string, communities []graph.Community) error {
	place := make(map[string]int, len(communities))
	for i := range communities {
		place[communities[i].Key] = i
	}
	for part := range slices.Chunk(communities, writeRows) {
		keys := make([]string, len(part))
		for i := range part {
			keys[i] = part[i].Key
		}
		err := s.read(ctx, cypher.ReadCommunityMembers, corpus, map[string]any{"keys": keys}, eachRow(func(v values) {
			members := v.texts("members")
			slices.Sort(members)
			communities[place[v.text("key")]].Members = members
		}))
		if err != nil {
			return err
		}
	}
	return nil
}

// Clustered notes that the visible communities fit the topology.
func (l *Lane) Clustered(ctx context.Context, topology int64) error {
	c, err := l.store.Corpus(ctx, l.corpus)
	if err != nil || c.Clustered == topology {
		return err
	}
	return l.set(ctx, "clustered", map[string]any{"clustered": topology})
}
