package neo4jstore

import (
	"context"
	"fmt"
	"math"

	"github.com/neorag/neorag/cypher"
	"github.com/neorag/neorag/internal/graph"
)

// Embedded is the vector of a node. Without a vector the node is noted as
// embedded and has none: its text holds nothing to go by.
type Embedded struct {
	Key       string
	EmbedFP   string
	Unchanged bool // only the mark goes
	Vector    []float32
}

// vectorBytes bounds the vectors of one transaction; a number takes nine bytes
// on its way to the server.
const vectorBytes = 8 << 20

// WriteEmbeddings writes vectors, which all have that dimension and a length
// above zero: the server would keep others in silence and not find them.
func (l *Writer) WriteEmbeddings(ctx context.Context, kind graph.Kind, dimension int, rows []Embedded) error {
	vectors := make(map[string][]float64, len(rows))
	for _, r := range rows {
		if r.Unchanged || len(r.Vector) == 0 {
			continue
		}
		v, err := vectorOf(r.Vector, dimension)
		if err != nil {
			return fmt.Errorf("write vector of %s: %w", r.Key, err)
		}
		vectors[r.Key] = v
	}
	rows = sortedBy(rows, func(r Embedded) string { return r.Key })
	weight := func(r Embedded) int { return 9*len(r.Vector) + vectorBytes/writeRows }
	return batches(rows, vectorBytes, weight, func(part []Embedded) error {
		var changed, unchanged []any
		for _, r := range part {
			row := map[string]any{"key": r.Key, "fp": r.EmbedFP, "vector": nil}
			if v, ok := vectors[r.Key]; ok {
				row["vector"] = v
			}
			if r.Unchanged {
				unchanged = append(unchanged, row)
			} else {
				changed = append(changed, row)
			}
		}
		return l.write(ctx, "vectors", func(tx *transaction) error {
			if err := tx.rows(ctx, cypher.WriteUnmarked.For(string(kind), "embed"), l.corpus, unchanged, true); err != nil {
				return err
			}
			return tx.rows(ctx, cypher.WriteEmbeddings.For(string(kind)), l.corpus, changed, true)
		})
	})
}

// vectorOf checks a vector and makes the list that the driver packs fastest.
// With dimension 0 any length will do.
func vectorOf(vector []float32, dimension int) ([]float64, error) {
	if dimension != 0 && len(vector) != dimension {
		return nil, fmt.Errorf("%w: it has %d numbers, the others %d", ErrDimension, len(vector), dimension)
	}
	list := make([]float64, len(vector))
	var norm float64
	for i, x := range vector {
		list[i] = float64(x)
		norm += list[i] * list[i]
	}
	if norm == 0 || math.IsNaN(norm) || math.IsInf(norm, 0) {
		return nil, fmt.Errorf("its length is %g, which no search finds", math.Sqrt(norm))
	}
	return list, nil
}
