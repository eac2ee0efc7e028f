package neo4jstore

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/neorag/neorag/cypher"
	"github.com/neorag/neorag/internal/leiden"
	"github.com/neorag/neorag/internal/store/neo4jstore/internal/arcs"
)

// Adjacency is the graph of the entities that have a relationship. Node i is the entity
// Keys[i].
type Adjacency struct {
	Entities

	Topology []int64 // of each entity: the value of Corpus.Topology when its edges changed last; 0 if it is not known
	Graph    *leiden.Graph
}

// Entities are entities in key order, with the internal id that each has on the server. An
// id is valid until its node is deleted.
type Entities struct {
	Keys []string
	IDs  []int64
}

// byKey returns the internal ids by key.
func (e Entities) byKey() map[string]int64 {
	ids := make(map[string]int64, len(e.Keys))
	for i, key := range e.Keys {
		ids[key] = e.IDs[i]
	}
	return ids
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
	all, err := s.entities(ctx, corpus)
	if err != nil {
		return Adjacency{}, fmt.Errorf("read the entities of corpus %s: %w", corpus, err)
	}
	pages := 0
	if weight == "count" {
		if pages, err = s.scanPages(ctx, corpus, len(all.Keys)); err != nil {
			return Adjacency{}, fmt.Errorf("count edges: %w", err)
		}
	}
	a, err := s.adjacency(ctx, corpus, st, all, pages)
	if err != nil {
		return Adjacency{}, fmt.Errorf("read the edges of corpus %s: %w", corpus, err)
	}
	return a, nil
}

// adjacency reads the edges in pages of a scan, or from entity to entity without a scan or
// if a page is too much for the server.
func (s *Store) adjacency(ctx context.Context, corpus string, st cypher.Statement, all entityRows, pages int) (Adjacency, error) {
	if pages > 0 {
		edges := newArcBuilder(all.IDs)
		err := s.scanEdges(ctx, corpus, pages, edges)
		if err == nil {
			return edges.adjacency(ctx, all)
		}
		if !isTooLarge(err) {
			return Adjacency{}, err
		}
	}
	edges := newArcBuilder(all.IDs)
	if err := s.edgesOf(ctx, corpus, st, all.IDs, edges); err != nil {
		return Adjacency{}, err
	}
	return edges.adjacency(ctx, all)
}

// entityRows are all entities of a corpus.
type entityRows struct {
	Entities

	topologies []int64
}

// entities reads the entities of a corpus.
func (s *Store) entities(ctx context.Context, corpus string) (all entityRows, err error) {
	err = s.keyPages(corpus, adjacencyNodes, func(params map[string]any) (last string, n int, err error) {
		var page []int64
		err = eachRow(ctx, s, readAdjacencyKeys, corpus, params, func(row adjacencyKeysRow) {
			all.Keys, all.topologies, page = append(all.Keys, row.Keys...), append(all.topologies, row.Topologies...), append(page, row.IDs...)
		})
		all.IDs = append(all.IDs, page...)
		if len(all.Keys) > 0 {
			last = all.Keys[len(all.Keys)-1]
		}
		return last, len(page), err
	})
	return all, err
}

const (
	// scannedEdges is how many edges a transaction of a scan returns at most: about 100
	// bytes of the server's heap for each.
	scannedEdges = 3_000_000
	// scanShare is how many edges are scanned in the time in which the edges of one entity are
	// read by following them.
	scanShare = 20
)

// scanPages returns in how many transactions a scan of the edges of all corpora is faster than
// reading the edges of a number of entities, 0 if it is not.
func (s *Store) scanPages(ctx context.Context, corpus string, entities int) (int, error) {
	n, err := firstRow(ctx, s, readAdjacencySize, corpus, nil, nil)
	pages := (n + scannedEdges - 1) / scannedEdges
	if isTooLarge(err) || pages*n > scanShare*entities {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	return pages, nil
}

// scanEdges adds the edges of the entities, found among the edges of all corpora.
func (s *Store) scanEdges(ctx context.Context, corpus string, pages int, edges *arcBuilder) error {
	for page := range pages {
		err := s.read(ctx, cypher.ReadAdjacencyScan, corpus, map[string]any{"pages": pages, "page": page}, func(r *neo4j.Record) error {
			return arcs.EachKnown(edges.position, r.Values, edges.add)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// edgesOf adds the edges from entities, read from entity to entity.
func (s *Store) edgesOf(ctx context.Context, corpus string, st cypher.Statement, ids []int64, edges *arcBuilder) error {
	ids = slices.Sorted(slices.Values(ids)) // so that the server reads its records in order
	return batches(ids, s.pageOf(adjacencyNodes), countRow, func(part []int64) error {
		return s.read(ctx, st, corpus, map[string]any{"ids": part}, func(r *neo4j.Record) error {
			return arcs.Each(edges.position, r.Values, edges.add)
		})
	})
}

// An arcBuilder builds the graph of those entities that have an edge, numbered as they are
// found.
type arcBuilder struct {
	position func(id int64) (uint32, bool) // of an entity among all
	number   []uint32                      // of each entity in edges, or unnumbered
	edges    *leiden.Builder
	found    uint32
}

const unnumbered = math.MaxUint32

func newArcBuilder(ids []int64) *arcBuilder {
	b := &arcBuilder{position: arcs.Positions(ids), number: make([]uint32, len(ids)), edges: leiden.NewBuilder(0)}
	for i := range b.number {
		b.number[i] = unnumbered
	}
	return b
}

// add adds the arc between two entities.
func (b *arcBuilder) add(source, target uint32, weight any) error {
	for _, entity := range []uint32{source, target} {
		if b.number[entity] == unnumbered {
			b.number[entity] = b.found
			b.found++
		}
	}
	b.edges.Grow(int(b.found))
	w, _ := weight.(int64)
	return b.edges.Add(b.number[source], b.number[target], float64(w))
}

// adjacency numbers the entities by key and builds the graph.
func (b *arcBuilder) adjacency(ctx context.Context, all entityRows) (a Adjacency, err error) {
	order := make([]uint32, b.found)
	for i, number := range b.number {
		if number != unnumbered {
			order[number] = uint32(len(a.Keys)) //nolint:gosec // a node of a leiden.Graph
			a.Keys, a.IDs, a.Topology = append(a.Keys, all.Keys[i]), append(a.IDs, all.IDs[i]), append(a.Topology, all.topologies[i])
		}
	}
	if err := b.edges.Rename(order); err != nil {
		return Adjacency{}, err
	}
	a.Graph, err = b.edges.BuildContext(ctx)
	return a, err
}
