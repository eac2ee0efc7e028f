package neo4jstore

import (
	"context"

	"github.com/neorag/neorag/cypher"
)

// WriteDocumentLinks writes the vectors of documents and their edges to similar documents, and
// removes their marks of the stage documents.
func (w *Writer) WriteDocumentLinks(ctx context.Context, documents []Linked) error {
	return w.writeLinks(ctx, "document links", linkStatements{cypher.WriteDocumentLinksOutdated, cypher.WriteDocumentLinks, cypher.WriteDocumentLinksFound}, documents)
}
