package index

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"runtime"
	"strconv"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/stage/qcg"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// DocumentLinks configure the edges between similar documents.
type DocumentLinks struct {
	Most int // edges of a document to others; 0 means 2
}

// documentMost is the number of similar documents of each document in KG-Retriever.
const documentMost = 2

// bound says which documents are similar.
func (d DocumentLinks) bound() qcg.Bound { return qcg.Bound{K: cmp.Or(d.Most, documentMost)} }

// documentLinkArtifact is the edges between similar documents.
var documentLinkArtifact = artifact{
	name: neo4jstore.ArtifactDocumentLinks, stage: "documents", compares: "documents",
	settings: func(e *effective) map[string]string {
		return map[string]string{"documents": graph.Hash(e.Embedder.Fingerprint(), strconv.Itoa(e.DocumentLinks.bound().K))}
	},
	label: "similar", status: func(_ neo4jstore.Corpus, n neo4jstore.Counts) string {
		return fmt.Sprintf("%d edges between documents", n.DocumentLinks)
	},
}

// A documentLinker is the stage documents.
type documentLinker struct{ *stage }

// run makes the vectors of the marked documents from the vectors of their chunks, and gives
// these documents edges to those with the nearest vectors, and others edges to them (KG-Retriever,
// section 3.2). The edges are a function of the vectors of all chunks.
func (s *documentLinker) run(ctx context.Context) error {
	if n, err := s.announcePending(ctx); err != nil || n == 0 {
		return err
	}
	dimension := s.Embedder.Dimension()
	var nodes []neo4jstore.DocumentNode
	err := s.store.DocumentNodes(ctx, s.Corpus, func(n neo4jstore.DocumentNode) {
		n.Marked = n.Marked || len(n.Vector) > 0 && len(n.Vector) != dimension
		nodes = append(nodes, n)
	})
	if err != nil {
		return err
	}
	vectors, err := s.documentVectors(ctx, nodes, dimension)
	if err != nil {
		return err
	}
	l := linker{set: qcg.NewSet(dimension, len(nodes)), bound: s.DocumentLinks.bound()}
	for _, n := range nodes {
		l.add(n.Key, vectors[n.Key], n.Marked, n.Neighbours)
	}
	before, err := l.relink(ctx, l.affected(), runtime.GOMAXPROCS(0))
	if err != nil {
		return err
	}
	return l.write(ctx, s.stage, before, func(ctx context.Context, lists []neo4jstore.Linked) error {
		for i := range lists {
			lists[i].Vector = vectors[lists[i].Key]
		}
		return s.writer.WriteDocumentLinks(ctx, lists)
	})
}

// linkedChunks is how many chunks the documents have whose vectors are made together, unless one
// has more.
const linkedChunks = 2000

// documentVectors returns the vectors of documents by their keys: those that are stored, and new
// ones of the marked documents.
func (s *documentLinker) documentVectors(ctx context.Context, nodes []neo4jstore.DocumentNode, dimension int) (map[string][]float32, error) {
	out := make(map[string][]float32, len(nodes))
	var keys []string
	chunks := 0
	flush := func() error {
		made, err := s.meanVectors(ctx, keys, dimension)
		maps.Copy(out, made)
		keys, chunks = keys[:0], 0
		return err
	}
	for _, n := range nodes {
		if !n.Marked {
			out[n.Key] = n.Vector
			continue
		}
		keys, chunks = append(keys, n.Key), chunks+n.Chunks
		if chunks >= linkedChunks || len(keys) >= linkedChunks {
			if err := flush(); err != nil {
				return nil, err
			}
		}
	}
	return out, flush()
}

// meanVectors returns for each document the mean of the vectors of its chunks, with length one.
// Vectors of another dimension, which another embedder made, do not count. A document without
// vectors has none.
func (s *documentLinker) meanVectors(ctx context.Context, documents []string, dimension int) (map[string][]float32, error) {
	if len(documents) == 0 {
		return nil, nil
	}
	means := map[string]*qcg.Mean{}
	err := s.store.ChunkVectors(ctx, s.Corpus, documents, func(c neo4jstore.ChunkVector) {
		if len(c.Vector) != dimension {
			return
		}
		if means[c.Document] == nil {
			means[c.Document] = &qcg.Mean{}
		}
		means[c.Document].Add(c.Vector)
	})
	if err != nil {
		return nil, fmt.Errorf("make vectors of documents: %w", err)
	}
	out := make(map[string][]float32, len(means))
	for key, m := range means {
		if unit := m.Unit(); unit != nil {
			out[key] = unit
		}
	}
	return out, nil
}
