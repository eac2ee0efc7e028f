package neo4jstore

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/neorag/neorag/cypher"
	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/leiden"
	"github.com/neorag/neorag/internal/neo4jstore/internal/arcs"
)

// Adjacency is the graph of the entities that have a relationship. Node i is the entity
// Keys[i].
type Adjacency struct {
	Keys  []string // sorted
	Graph *leiden.Graph
}

// Adjacency reads the edges between entities, weighted by "count" (the number of
// records) or "strength". Rows are added to the graph as they arrive, with 16 bytes per
// edge.
func (s *Store) Adjacency(ctx context.Context, corpus string, weight string) (Adjacency, error) {
	st, ok := map[string]cypher.Statement{"count": cypher.ReadAdjacencyCount, "strength": cypher.ReadAdjacencyStrength}[weight]
	if !ok {
		return Adjacency{}, fmt.Errorf("read the edges of corpus %s: weight %q is neither count nor strength", corpus, weight)
	}
	var a Adjacency
	var edges *leiden.Builder
	err := s.readTx(ctx, func(tx *transaction) error {
		var err error
		var position func(id int64) (uint32, bool)
		if a.Keys, position, err = readPositions(ctx, tx, corpus); err != nil {
			return err
		}
		edges = leiden.NewBuilder(len(a.Keys))
		return tx.each(ctx, st, corpus, nil, func(r *neo4j.Record) error { return addArcs(edges, position, r.Values) })
	})
	if err == nil {
		a.Graph, err = edges.BuildContext(ctx)
	}
	if err != nil {
		return Adjacency{}, fmt.Errorf("read the edges of corpus %s: %w", corpus, err)
	}
	return a, nil
}

// addArcs adds the arcs of a row.
func addArcs(edges *leiden.Builder, position func(id int64) (uint32, bool), row []any) error {
	return arcs.Each(position, row, func(source, target uint32, weight any) error {
		w, _ := weight.(int64)
		return edges.Add(source, target, float64(w))
	})
}

// readPositions reads the sorted keys of the entities that have an edge, and returns a
// function that finds the position of an internal id of the server. Those ids are
// valid in one transaction.
func readPositions(ctx context.Context, tx *transaction, corpus string) ([]string, func(int64) (uint32, bool), error) {
	type node struct {
		id  int64
		key string
	}
	var nodes []node
	err := tx.each(ctx, cypher.ReadAdjacencyKeys, corpus, nil, eachRow(func(v values) {
		ids, _ := v["ids"].([]any)
		for i, key := range v.texts("keys") {
			id, _ := ids[i].(int64)
			nodes = append(nodes, node{id, key})
		}
	}))
	if err != nil {
		return nil, nil, err
	}
	slices.SortFunc(nodes, func(a, b node) int { return cmp.Compare(a.key, b.key) })
	keys, ids := make([]string, len(nodes)), make([]int64, len(nodes))
	for i, n := range nodes {
		keys[i], ids[i] = n.key, n.id
	}
	return keys, arcs.Positions(ids), nil
}

// Communities reads the communities that are valid in the generation, by level and
// ordinal. With members it also reads their members, sorted.
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

// fillMembers reads the members of communities. The members of a community never
// change, because its key depends on them.
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
