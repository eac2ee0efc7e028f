package neo4jstore

import (
	"context"
	"fmt"

	"github.com/neorag/neorag/cypher"
)

// WriteDocumentLinks writes the vectors of documents and their edges to similar documents, and
// removes their marks of the stage documents.
func (w *Writer) WriteDocumentLinks(ctx context.Context, documents []Linked) error {
	return w.writeLinks(ctx, "document links", linkStatements{cypher.WriteDocumentLinksOutdated, cypher.WriteDocumentLinks, cypher.WriteDocumentLinksFound}, documents)
}

// SetDocumentLinks records whether the corpus has edges between similar documents. It writes only
// what differs.
func (w *Writer) SetDocumentLinks(ctx context.Context, has bool) error {
	return w.setFlag(ctx, "document link settings", "document_links", func(c Corpus) bool { return c.DocumentLinks }, has)
}

// DropDocumentLinks records that the corpus has no edges between similar documents, then deletes
// what the stage documents wrote: first the edges, so that a document without what the stage wrote
// to it has none.
func (w *Writer) DropDocumentLinks(ctx context.Context) error {
	if err := w.SetDocumentLinks(ctx, false); err != nil {
		return err
	}
	if err := w.dropEdges(ctx, "document links dropped", cypher.WriteDocumentLinksDropped); err != nil {
		return fmt.Errorf("drop the edges between similar documents of corpus %s: %w", w.corpus, err)
	}
	_, err := w.markPages(ctx, "document vectors dropped", writeDocumentVectorsDropped)
	return err
}
