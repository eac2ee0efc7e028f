package neo4jstore

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/neorag/neorag/cypher"
	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/leiden"
	"github.com/neorag/neorag/internal/neo4jstore/internal/arcs"
)

// Adjacency is the graph of the entities that have a relationship. Node i is the entity
// Keys[i].
type Adjacency struct {
	Keys     []string // sorted
	Topology []int64  // of each entity: the value of Corpus.Topology when its edges changed last; 0 if it is not known
	Graph    *leiden.Graph
}

// adjacencyNodes is how many nodes one transaction reads with their edges.
const adjacencyNodes = 50_000

// Adjacency reads the edges between entities, weighted by "count" (the number of
// records) or "strength". Rows are added to the graph as they arrive, with 16 bytes per
// edge. It takes several transactions, which see one graph only as long as nobody writes
// entities or edges of the corpus: the caller holds its lease.
func (s *Store) Adjacency(ctx context.Context, corpus string, weight string) (Adjacency, error) {
	st, ok := map[string]cypher.Statement{"count": cypher.ReadAdjacencyCount, "strength": cypher.ReadAdjacencyStrength}[weight]
	if !ok {
		return Adjacency{}, fmt.Errorf("read the edges of corpus %s: weight %q is neither count nor strength", corpus, weight)
	}
	a, ids, err := s.connectedEntities(ctx, corpus)
	if err != nil {
		return Adjacency{}, fmt.Errorf("read the entities of corpus %s: %w", corpus, err)
	}
	position := arcs.Positions(ids)
	edges := leiden.NewBuilder(len(a.Keys))
	slices.Sort(ids) // so that the server reads its records in order
	err = batches(ids, s.pageOf(adjacencyNodes), countRow, func(part []int64) error {
		return s.read(ctx, st, corpus, map[string]any{"ids": part}, func(r *neo4j.Record) error { return addArcs(edges, position, r.Values) })
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

// connectedEntities reads the entities that have an edge, sorted, and the internal id
// that each has on the server. An id is valid until its node is deleted.
func (s *Store) connectedEntities(ctx context.Context, corpus string) (a Adjacency, ids []int64, err error) {
	err = s.keyPages(corpus, adjacencyNodes, func(params map[string]any) (last string, n int, err error) {
		var page []int64
		err = s.read(ctx, cypher.ReadAdjacencyKeys, corpus, params, eachRow(func(v values) {
			a.Keys = append(a.Keys, v.texts("keys")...)
			a.Topology = append(a.Topology, v.wholes("topologies")...)
			page = append(page, v.wholes("ids")...)
		}))
		ids = append(ids, page...)
		if len(a.Keys) > 0 {
			last = a.Keys[len(a.Keys)-1]
		}
		return last, len(page), err
	})
	return a, ids, err
}

// Communities reads the communities that are valid in the generation, by level and
// ordinal. With members it also reads their members, sorted.
func (s *Store) Communities(ctx context.Context, corpus string, generation int64, members bool) ([]graph.Community, error) {
	communities, err := pagedRows(ctx, s, cypher.ReadCommunities, corpus, map[string]any{"generation": generation}, communityOf,
		func(c graph.Community) string { return c.Key })
	slices.SortFunc(communities, func(a, b graph.Community) int {
		return cmp.Or(cmp.Compare(a.Level, b.Level), cmp.Compare(a.Ordinal, b.Ordinal), strings.Compare(a.Key, b.Key))
	})
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
	shared := map[string]string{} // an entity is a member of a community of every level
	return batches(communities, s.pageOf(writeRows), countRow, func(part []graph.Community) error {
		keys := make([]string, len(part))
		for i := range part {
			keys[i] = part[i].Key
		}
		return s.read(ctx, cypher.ReadCommunityMembers, corpus, map[string]any{"keys": keys}, eachRow(func(v values) {
			members := v.texts("members")
			slices.Sort(members)
			for i, key := range members {
				if known, ok := shared[key]; ok {
					members[i] = known
				} else {
					shared[key] = key
				}
			}
			communities[place[v.text("key")]].Members = members
		}))
	})
}
