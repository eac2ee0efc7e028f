package source

import (
	"context"

	"github.com/neorag/neorag/internal/graph"
)

// Read returns all documents of a file, or an error and none.
func Read(ctx context.Context, f File, o Options) (docs []graph.Document, failures []Failure, err error) {
	failures, err = Documents(ctx, f, o, func(d graph.Document) error {
		docs = append(docs, d)
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	return docs, failures, nil
}
