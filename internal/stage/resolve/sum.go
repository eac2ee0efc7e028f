package resolve

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/neorag/neorag/internal/graph"
)

// Version is the version of what Merge makes of records. It changes when the same records
// give other mentions.
const Version = "merge-2"

// Sum returns the fingerprint of what Merge makes of a chunk's records. It does not depend
// on the order of the records or on the chunk's key, so that an extraction with nothing
// new is not written again.
func Sum(x graph.Extraction) string {
	lines := make([]string, 0, 1+len(x.Entities)+len(x.Relationships)+len(x.Claims))
	lines = append(lines, Version)
	for _, r := range x.Entities {
		lines = append(lines, "entity"+encodeJSON(r))
	}
	for _, r := range x.Relationships {
		r.Keywords = slices.Sorted(slices.Values(r.Keywords))
		lines = append(lines, "relationship"+encodeJSON(r))
	}
	for _, r := range x.Claims {
		lines = append(lines, "claim"+encodeJSON(r))
	}
	for _, s := range x.Absent {
		lines = append(lines, "absent"+encodeJSON(s))
	}
	slices.Sort(lines)
	return graph.Hash(lines...)
}

// encodeJSON encodes a value unambiguously for a hash: JSON escapes the separator
// of graph.Hash.
func encodeJSON(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("encode %T: %v", v, err)) // only strings and integers: cannot fail
	}
	return string(b)
}

// countLines returns counted texts in a canonical form for a fingerprint.
func countLines(n map[string]int) []string {
	lines := make([]string, 0, len(n))
	for t, c := range n {
		lines = append(lines, strconv.Itoa(c)+" "+encodeJSON(t))
	}
	slices.Sort(lines)
	return lines
}
