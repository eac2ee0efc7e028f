package neo4jstore

import (
	"context"
	"fmt"
	"slices"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/neorag/neorag/cypher"
	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/store/neo4jstore/internal/arcs"
)

// GraphState reads a text that names the state of a corpus: it is another one after any write.
// The error is ErrNoCorpus or ErrSchema, as of Generation.
func (s *Store) GraphState(ctx context.Context, corpus string) (string, error) {
	row, err := firstRow(ctx, s, readSnapshotState, corpus, nil, ErrNoCorpus)
	if err == nil {
		err = checkSchema(row.Schema)
	}
	return row.State, wrap(err, "read the state of corpus "+corpus)
}

// GraphKinds are the kinds of the nodes that GraphNodes reads.
var GraphKinds = []graph.Kind{graph.KindEntity, graph.KindRelationship, graph.KindChunk, graph.KindDocument}

// GraphNodes reads the keys of all nodes of the graph of evidence: of a kind, in key order,
// and the id that each has on the server, which is valid until the node is deleted.
func (s *Store) GraphNodes(ctx context.Context, corpus string, kind graph.Kind) (keys []string, ids []int64, err error) {
	err = s.keyPages(corpus, adjacencyNodes, func(params map[string]any) (last string, n int, err error) {
		var page []string
		var pageIDs []int64
		err = eachRow(ctx, s, readSnapshotNodes.For(string(kind)), corpus, params, func(row snapshotNodesRow) {
			page, pageIDs = append(page, row.Keys...), append(pageIDs, row.IDs...)
		})
		keys, ids = append(keys, page...), append(ids, pageIDs...)
		if len(page) > 0 {
			last = page[len(page)-1]
		}
		return last, len(page), err
	})
	if err != nil {
		return nil, nil, fmt.Errorf("read the nodes of corpus %s: %w", corpus, err)
	}
	return keys, ids, nil
}

// A GraphEdge is an edge of the graph of evidence, from A to B.
type GraphEdge struct {
	A, B    uint32
	Weight  float32
	Synonym bool // between entities with similar names
}

// GraphEdges calls each for every edge between nodes with these ids, by their positions in
// ids: relationships between entities, with the number of their records; synonyms, with the
// cosine of the names; mentions, with the number of records in the chunk; the ends of
// relationships; chunks that follow each other, and their documents. An edge to another node is
// left out.
func (s *Store) GraphEdges(ctx context.Context, corpus string, ids []int64, each func(GraphEdge)) error {
	position := arcs.Positions(ids)
	sorted := slices.Sorted(slices.Values(ids)) // so that the server reads its records in order
	err := batches(sorted, s.pageOf(adjacencyNodes), countRow, func(part []int64) error {
		var page []GraphEdge // of a batch that may be read again in halves
		err := s.read(ctx, cypher.ReadSnapshotEdges, corpus, map[string]any{"ids": part}, func(r *neo4j.Record) error {
			synonyms, _ := r.Values[3].(bool)
			return arcs.EachKnown(position, r.Values, func(a, b uint32, weight any) error {
				page = append(page, GraphEdge{a, b, weightOf(weight), synonyms})
				return nil
			})
		})
		if err == nil {
			for _, e := range page {
				each(e)
			}
		}
		return err
	})
	return wrap(err, "read the edges of corpus "+corpus)
}

// weightOf returns the weight of an edge.
func weightOf(weight any) float32 {
	switch n := weight.(type) {
	case int64:
		return float32(n)
	case float64:
		return float32(n)
	}
	return 1
}

// termsPage is how many documents are read at a time with all their terms.
const termsPage = 200

// DocumentTerms calls each for the index terms of every document.
func (s *Store) DocumentTerms(ctx context.Context, corpus string, each func(terms string)) error {
	return pageSpec[snapshotTermsRow]{
		reading: "read the terms", statement: readSnapshotTerms, corpus: corpus, limit: termsPage, key: func(row snapshotTermsRow) string { return row.Key },
	}.pass(ctx, s, func(row snapshotTermsRow) { each(row.Terms) })
}
