package neo4jstore

import (
	"context"

	"github.com/neorag/neorag/cypher"
)

// A Linked is a pair, entity or document with its neighbours, nearest first.
type Linked struct {
	Key        string
	Neighbours []Neighbour
	Vector     []float32 // of a document, of length one; nil if it has none
}

// linkStatements write lists of neighbours.
type linkStatements struct {
	gone   cypher.Statement // deletes the edges to nodes that are not in the list
	edges  cypher.Statement
	linked cypher.Statement // records how many there are, and removes the mark
}

// writeLinks writes the edges of nodes to their neighbours, and removes the marks of the nodes.
func (w *Writer) writeLinks(ctx context.Context, point string, st linkStatements, nodes []Linked) error {
	nodes = sortedBy(nodes, func(l Linked) string { return l.Key })
	weight := func(l Linked) int { return 1 + len(l.Neighbours)/10 + 9*len(l.Vector)*writeRows/vectorBytes }
	return batches(nodes, writeRows, weight, func(part []Linked) error {
		var done, keep, edges []any
		for _, l := range part {
			ends := make([]string, len(l.Neighbours))
			for i, n := range l.Neighbours {
				ends[i] = n.Key
				edges = append(edges, map[string]any{"key": l.Key, "to": n.Key, "score": n.Score})
			}
			keep = append(keep, map[string]any{"key": l.Key, "keep": ends})
			done = append(done, map[string]any{"key": l.Key, "neighbours": len(ends), "vector": vectorRow(l.Vector)})
		}
		return w.write(ctx, point, func(tx *transaction) error {
			return tx.steps(ctx, w.corpus, []rowStep{{st.gone, keep, false}, {st.edges, edges, true}, {st.linked, done, true}})
		})
	})
}

// vectorRow returns a vector as the type that the driver encodes fastest, nil for none.
func vectorRow(vector []float32) any {
	if len(vector) == 0 {
		return nil
	}
	list, _ := toFloat64(vector)
	return list
}

// WriteDocumentLinks writes the vectors of documents and their edges to similar documents, and
// removes their marks of the stage documents.
func (w *Writer) WriteDocumentLinks(ctx context.Context, documents []Linked) error {
	return w.writeLinks(ctx, "document links", linkStatements{cypher.WriteDocumentLinksOutdated, cypher.WriteDocumentLinks, cypher.WriteDocumentLinksFound}, documents)
}
