package neo4jstore

import (
	"context"
	"fmt"
	"math"

	"github.com/neorag/neorag/cypher"
	"github.com/neorag/neorag/internal/graph"
)

// Embedded is the vector of a node. Without a vector the node counts as embedded: its
// text has nothing to embed, or its kind has no vectors, in which case the fingerprint is
// empty too.
type Embedded struct {
	Key       string
	EmbedFP   string
	Unchanged bool // only remove the mark
	Vector    []float32
}

// vectorBytes is the maximum size of the vectors of one transaction. A number takes nine
// bytes in the protocol.
const vectorBytes = 8 << 20

// WriteEmbeddings writes vectors. All must have the given dimension and a norm above
// zero: the server would store other vectors without an error, but not find them.
func (w *Writer) WriteEmbeddings(ctx context.Context, kind graph.Kind, dimension int, rows []Embedded) error {
	vectors := make(map[string]any, len(rows))
	for _, r := range rows {
		if r.Unchanged {
			continue
		}
		v, err := optionalVector(r.Vector, dimension)
		if err != nil {
			return fmt.Errorf("write vector of %s: %w", r.Key, err)
		}
		vectors[r.Key] = v
	}
	rows = sortedBy(rows, func(r Embedded) string { return r.Key })
	weight := func(r Embedded) int { return 9*len(r.Vector) + vectorBytes/writeRows }
	return batches(rows, vectorBytes, weight, func(part []Embedded) error {
		var changed, unchanged []any
		keys := make([]string, len(part))
		for i, r := range part {
			keys[i] = r.Key
			row := map[string]any{"key": r.Key, "fp": optional(r.EmbedFP), "vector": vectors[r.Key]}
			if r.Unchanged {
				unchanged = append(unchanged, row)
			} else {
				changed = append(changed, row)
			}
		}
		return w.write(ctx, "vectors", func(tx *transaction) error {
			if err := tx.steps(ctx, w.corpus, []rowStep{
				{cypher.WriteDone.For(string(kind), "embed"), unchanged, true},
				{cypher.WriteEmbeddings.For(string(kind)), changed, true},
			}); err != nil || kind != graph.KindChunk {
				return err
			}
			return tx.each(ctx, cypher.WriteDocumentMarks, w.corpus, map[string]any{"keys": keys}, nil)
		})
	})
}

// optionalVector is vectorOf, and nil for no vector.
func optionalVector(vector []float32, dimension int) (any, error) {
	if len(vector) == 0 {
		return nil, nil //nolint:nilnil // null is how the server removes a vector
	}
	return vectorOf(vector, dimension)
}

// vectorOf checks a vector and returns it as the type that the driver encodes fastest.
// With dimension 0 any length is valid.
func vectorOf(vector []float32, dimension int) ([]float64, error) {
	if dimension != 0 && len(vector) != dimension {
		return nil, fmt.Errorf("%w: it has %d dimensions, not %d", ErrDimension, len(vector), dimension)
	}
	list, squares := toFloat64(vector)
	if !isPositive(squares) {
		return nil, fmt.Errorf("its norm is %g, so that no search finds it", math.Sqrt(squares))
	}
	return list, nil
}

// toFloat64 converts a vector, and returns the sum of its squares.
func toFloat64(vector []float32) (list []float64, squares float64) {
	list = make([]float64, len(vector))
	for i, x := range vector {
		list[i] = float64(x)
		squares += list[i] * list[i]
	}
	return list, squares
}

// isPositive reports whether x is a finite number above zero.
func isPositive(x float64) bool { return x > 0 && !math.IsInf(x, 0) }
