package neo4jstore

import (
	"context"

	"github.com/neorag/neorag/cypher"
)

// A DocumentNode is a document with its vector and its edges to similar documents.
type DocumentNode struct {
	Key        string
	Marked     bool      // for the stage documents
	Vector     []float32 // nil if none is stored
	Chunks     int
	Neighbours []Neighbour
}

// DocumentNodes passes all documents of a corpus to each, in key order, page by page.
func (s *Store) DocumentNodes(ctx context.Context, corpus string, each func(DocumentNode)) error {
	err := eachPaged(ctx, s, cypher.ReadDocumentNodes, corpus, queryPage, nil, func(v values) DocumentNode {
		return DocumentNode{
			Key: v.text("key"), Marked: v.flag("marked"), Vector: v.vector("vector"), Chunks: v.int("chunks"),
			Neighbours: neighboursOf(v),
		}
	}, func(n DocumentNode) string { return n.Key }, each)
	return wrap(err, "read the documents of corpus "+corpus)
}

// A ChunkVector is the vector of a chunk, nil if it has none or is to be embedded again.
type ChunkVector struct {
	Document, Chunk string // keys
	Vector          []float32
}

// ChunkVectors passes the vectors of all chunks of some documents to each, in the order of the
// keys of the chunks, page by page.
func (s *Store) ChunkVectors(ctx context.Context, corpus string, documents []string, each func(ChunkVector)) error {
	limit := s.pageOf(queryPage)
	for after := ""; ; {
		params := map[string]any{"keys": documents, "after": after, "limit": limit}
		found, err := rows(ctx, s, cypher.ReadDocumentVectors, corpus, params, func(v values) ChunkVector {
			return ChunkVector{v.text("document"), v.text("chunk"), v.vector("vector")}
		})
		if err != nil {
			return wrap(err, "read the vectors of documents of corpus "+corpus)
		}
		for _, c := range found {
			each(c)
		}
		if len(found) < limit {
			return nil
		}
		after = found[len(found)-1].Chunk
	}
}
