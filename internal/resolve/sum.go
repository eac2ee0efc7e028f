package resolve

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/neorag/neorag/internal/graph"
)

// Sum is the fingerprint of a chunk's records: equal for the same records in
// any order, so that an extraction that says nothing new is not written again.
// It does not depend on the chunk's key.
func Sum(x graph.Extraction) string {
	lines := make([]string, 0, len(x.Entities)+len(x.Relationships)+len(x.Claims))
	for _, r := range x.Entities {
		lines = append(lines, "entity"+encode(r))
	}
	for _, r := range x.Relationships {
		r.Keywords = slices.Sorted(slices.Values(r.Keywords))
		lines = append(lines, "relationship"+encode(r))
	}
	for _, r := range x.Claims {
		lines = append(lines, "claim"+encode(r))
	}
	slices.Sort(lines)
	return graph.Hash(lines...)
}

// encode writes a value so that no part of it can run into another: JSON
// escapes the separator of Hash.
func encode(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("encode %T: %v", v, err)) // strings and integers alone: cannot fail
	}
	return string(b)
}

// countLines lists counted texts in a canonical form for a fingerprint.
func countLines(n map[string]int) []string {
	lines := make([]string, 0, len(n))
	for t, c := range n {
		lines = append(lines, strconv.Itoa(c)+" "+encode(t))
	}
	slices.Sort(lines)
	return lines
}
