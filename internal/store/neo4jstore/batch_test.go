package neo4jstore

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// Whatever the size of a batch that the server accepts, all rows are written once and in
// order.
func TestBatchesHalve(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		weights := rapid.SliceOfN(rapid.IntRange(1, 9), 0, 60).Draw(t, "weights")
		limit, passes := rapid.IntRange(1, 40).Draw(t, "limit"), rapid.IntRange(1, 8).Draw(t, "passes")
		var rows, written []int
		for i := range weights {
			rows = append(rows, i)
		}
		err := batches(rows, limit, func(i int) int { return weights[i] }, func(part []int) error {
			sum := 0
			for _, i := range part {
				sum += weights[i]
			}
			if len(part) > 1 && sum > limit {
				t.Fatalf("%d rows weigh %d, more than %d", len(part), sum, limit)
			}
			if len(part) > passes {
				return fmt.Errorf("%w: %d rows", ErrMemory, len(part))
			}
			written = append(written, part...)
			return nil
		})
		if diff := cmp.Diff(rows, written); err != nil || diff != "" {
			t.Fatalf("%v (-want +got):\n%s", err, diff)
		}
	})
	err := batches([]int{1, 2, 3}, 10, countRow, func([]int) error { return ErrMemory })
	if !errors.Is(err, ErrMemory) {
		t.Errorf("a single row that is too large: %v, want ErrMemory", err)
	}
}
