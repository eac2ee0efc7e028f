package neo4jstore

import (
	"context"
	"fmt"
	"strings"

	"github.com/neorag/neorag/cypher"
)

// BenchLoad runs a statement of bench/ over rows, in batches of size part, without a
// Writer and without marks. Benchmarks create their graphs with it.
func (s *Store) BenchLoad(ctx context.Context, st cypher.Statement, corpus string, rows []any, part int) error {
	if !strings.HasPrefix(string(st), "bench/") {
		return fmt.Errorf("load: %s is not a statement of bench/", st)
	}
	for begin := 0; begin < len(rows); begin += part {
		params := map[string]any{"rows": rows[begin:min(begin+part, len(rows))]}
		err := s.writeOne(ctx, func(tx *transaction) error { return tx.each(ctx, st, corpus, params, nil) })
		if err != nil {
			return fmt.Errorf("load rows from %d: %w", begin, err)
		}
	}
	return nil
}
