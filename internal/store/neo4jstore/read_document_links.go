package neo4jstore

import (
	"context"
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
	return pageSpec[DocumentNode]{
		reading: "read the documents", statement: readDocumentNodes, corpus: corpus, limit: queryPage, key: func(n DocumentNode) string { return n.Key },
	}.pass(ctx, s, each)
}

// A ChunkVector is the vector of a chunk, nil if it has none or is to be embedded again.
type ChunkVector struct {
	Document, Chunk string // keys
	Vector          []float32
}

// ChunkVectors passes the vectors of all chunks of some documents to each, in the order of the
// keys of the chunks, page by page.
func (s *Store) ChunkVectors(ctx context.Context, corpus string, documents []string, each func(ChunkVector)) error {
	return pageSpec[ChunkVector]{
		reading: "read the vectors of documents", statement: readDocumentVectors, corpus: corpus, params: map[string]any{"keys": documents}, limit: queryPage, key: func(c ChunkVector) string { return c.Chunk },
	}.pass(ctx, s, each)
}
