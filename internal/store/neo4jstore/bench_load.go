package neo4jstore

import (
	"context"
	"fmt"
	"iter"
	"strings"

	"github.com/neorag/neorag/cypher"
)

// BenchLoad runs a statement of bench/ over rows, in batches of size part, without a
// Writer and without marks, and returns the number of rows. Benchmarks create their graphs
// with it.
func (s *Store) BenchLoad(ctx context.Context, st cypher.Statement, corpus string, rows iter.Seq2[any, error], part int) (int, error) {
	if !strings.HasPrefix(string(st), "bench/") {
		return 0, fmt.Errorf("load: %s is not a statement of bench/", st)
	}
	n := 0
	var batch []any
	flush := func() error {
		if len(batch) == 0 {
			return nil
		}
		if err := inHalves(batch, func(part []any) error {
			params := map[string]any{"rows": part}
			return s.writeOne(ctx, func(tx *transaction) error { return tx.each(ctx, st, corpus, params, nil) })
		}); err != nil {
			return fmt.Errorf("load rows from %d: %w", n, err)
		}
		n += len(batch)
		batch = batch[:0]
		return nil
	}
	for row, err := range rows {
		if err != nil {
			return n, err
		}
		if batch = append(batch, row); len(batch) == part {
			if err := flush(); err != nil {
				return n, err
			}
		}
	}
	return n, flush()
}
