package neo4jstore

import (
	"context"
	"errors"

	"github.com/neorag/neorag/internal/graph"
)

// An EmbedItem is a text to embed.
type EmbedItem struct {
	Key     string
	Text    string
	EmbedFP string
}

// Embedded is the vector of a node.
type Embedded struct {
	Key       string
	EmbedFP   string
	Unchanged bool // only the mark goes
	Vector    []float32
}

// PendingEmbed reads at most limit marked nodes after the key given.
func (s *Store) PendingEmbed(ctx context.Context, corpus string, kind graph.Kind, after string, limit int) ([]EmbedItem, error) {
	return nil, errors.ErrUnsupported
}

// WriteEmbeddings writes vectors.
func (l *Lane) WriteEmbeddings(ctx context.Context, kind graph.Kind, dimension int, rows []Embedded) error {
	return errors.ErrUnsupported
}
