package index

import (
	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// NewInEdition returns an indexer that makes new corpora as a version with that edition did.
func NewInEdition(store *neo4jstore.Store, o Options, edition int) (*Indexer, error) {
	o.newEdition = edition
	return New(store, o)
}

// EarlierFingerprints returns the fingerprints that documents had in edition 3.
func EarlierFingerprints(o Options) (source, chunks string) {
	return graph.Hash("source", "3"), chunkFPOf(o.Chunk.FirstFingerprint(), "passages-4")
}

// Probe asks an embedding model for its dimension.
var Probe = probe
