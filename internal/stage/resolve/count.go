package resolve

import (
	"cmp"
	"maps"
	"slices"
)

// addCounts adds the occurrences of each non-empty text to n.
func addCounts(n map[string]int, texts []string) {
	for _, t := range texts {
		if t != "" {
			n[t]++
		}
	}
}

// countTexts counts how often each non-empty text occurs.
func countTexts(texts []string) map[string]int {
	n := map[string]int{}
	addCounts(n, texts)
	return n
}

// byCount returns the texts, the most frequent first, ties in byte order.
func byCount(n map[string]int) []string {
	return slices.SortedFunc(maps.Keys(n), func(a, b string) int {
		return cmp.Or(cmp.Compare(n[b], n[a]), cmp.Compare(a, b))
	})
}

// mostFrequent returns the first text of byCount, or "" if there is none.
func mostFrequent(n map[string]int) string {
	best := ""
	for t, c := range n {
		if best == "" || c > n[best] || c == n[best] && t < best {
			best = t
		}
	}
	return best
}

// sortedValues returns the values of a map sorted by key.
func sortedValues[V any](m map[string]V) []V {
	out := make([]V, 0, len(m))
	for _, k := range slices.Sorted(maps.Keys(m)) {
		out = append(out, m[k])
	}
	return out
}
