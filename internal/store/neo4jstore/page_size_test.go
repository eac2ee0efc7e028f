package neo4jstore

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestPagesHalve checks that every node is read once and in order, whatever the number of
// rows that the server can read in a transaction.
func TestPagesHalve(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		nodes, passes := rapid.IntRange(0, 60).Draw(t, "nodes"), rapid.IntRange(1, 20).Draw(t, "passes")
		limit := rapid.IntRange(1, 40).Draw(t, "limit")
		var want, read []string
		for i := range nodes {
			want = append(want, fmt.Sprintf("c/%03d", i))
		}
		failed := 0
		err := (&Store{}).keyPages("c", limit, func(params map[string]any) (string, int, error) {
			n := params["limit"].(int)
			if n > passes {
				failed++
				return "", 0, fmt.Errorf("%w: %d rows", errTooLong, n)
			}
			after, _ := slices.BinarySearch(want, params["after"].(string)+"\x00")
			part := want[after:min(after+n, nodes)]
			if len(part) == 0 {
				return "", 0, nil
			}
			read = append(read, part...)
			return part[len(part)-1], len(part), nil
		})
		if err != nil || !slices.Equal(read, want) || (failed > 0) != (limit > passes) {
			t.Fatalf("%v, %d failed, read %v", err, failed, read)
		}
	})
	if err := (&Store{}).keyPages("c", 8, func(map[string]any) (string, int, error) { return "", 0, errTooLong }); err == nil {
		t.Error("a node that is too large alone: no error")
	}
}
