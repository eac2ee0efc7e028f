package neo4jstore

import (
	"context"

	"github.com/neorag/neorag/internal/graph"
)

// A SimilarDocument is a document that is similar to another.
type SimilarDocument struct {
	Document, Neighbour string // keys
	Cosine              float64
}

// SimilarDocuments reads the edges from documents to those that are most similar to them.
func (s *Store) SimilarDocuments(ctx context.Context, corpus string, documents []string) ([]SimilarDocument, error) {
	return readAll(ctx, s, readSimilarDocuments, corpus, map[string]any{"documents": listOrEmpty(documents)}, "read similar documents")
}

// A DocumentEntity is an entity that a document mentions.
type DocumentEntity struct {
	Document string // key
	Entity   graph.Entity
	Cosine   float64 // with the vector of a question; 0 without vectors
}

// DocumentEntities reads the entities that some documents mention, of a scope that has chunks in
// these chunks, each once for each document. Of an entity only key, name and description are read.
func (s *Store) DocumentEntities(ctx context.Context, corpus string, w Scope, vector []float32) ([]DocumentEntity, error) {
	doubles := []float64{}
	if len(vector) > 0 {
		var err error
		if doubles, err = queryVector(vector); err != nil {
			return nil, wrap(err, "read entities of documents of corpus "+corpus)
		}
	}
	return readAll(ctx, s, readDocumentEntities, corpus, w.params(map[string]any{"vector": doubles}), "read entities of documents")
}
