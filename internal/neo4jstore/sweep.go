package neo4jstore

import (
	"context"
	"errors"
)

// Sweep deletes what ended with the generation or before.
func (l *Lane) Sweep(ctx context.Context, generation int64) error { return errors.ErrUnsupported }
