package neo4jstore

import (
	"context"
	"fmt"
	"strings"

	"github.com/neorag/neorag/cypher"
)

// BenchLoad runs a statement of bench/ over rows, part by part, past the lane and
// the marks: it makes graphs for measurements, in corpora of their own.
func (s *Store) BenchLoad(ctx context.Context, st cypher.Statement, corpus string, rows []any, part int) error {
	if !strings.HasPrefix(string(st), "bench/") {
		return fmt.Errorf("load: %s is not made for it", st)
	}
	for begin := 0; begin < len(rows); begin += part {
		params := map[string]any{"rows": rows[begin:min(begin+part, len(rows))]}
		err := s.writeOne(ctx, func(tx *transaction) error { return tx.each(ctx, st, corpus, params, nil) })
		if err != nil {
			return fmt.Errorf("load rows %d and on: %w", begin, err)
		}
	}
	return nil
}
