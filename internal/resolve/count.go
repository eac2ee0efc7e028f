package resolve

import (
	"cmp"
	"maps"
	"slices"
)

// counts tells how often each non-empty text occurs.
func counts(texts []string) map[string]int {
	n := make(map[string]int, len(texts))
	for _, t := range texts {
		if t != "" {
			n[t]++
		}
	}
	return n
}

// byCount lists texts, the most frequent first, ties bytewise.
func byCount(n map[string]int) []string {
	return slices.SortedFunc(maps.Keys(n), func(a, b string) int {
		return cmp.Or(cmp.Compare(n[b], n[a]), cmp.Compare(a, b))
	})
}

// mostFrequent is the text that byCount lists first, or "".
func mostFrequent(n map[string]int) string {
	best := ""
	for t, c := range n {
		if best == "" || c > n[best] || c == n[best] && t < best {
			best = t
		}
	}
	return best
}

// sorted lists the values of a map in the order of their keys.
func sorted[V any](m map[string]V) []V {
	out := make([]V, 0, len(m))
	for _, k := range slices.Sorted(maps.Keys(m)) {
		out = append(out, m[k])
	}
	return out
}
