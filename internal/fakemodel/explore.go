package fakemodel

import "strings"

// ratings rates reports by the words that they share with the question, the
// numbers in quotes, as models write them at times.
func ratings(question, context string) string {
	list := []map[string]any{}
	for _, r := range recordsOf(question, context) {
		list = append(list, map[string]any{"report": r.n, "score": min(5, 2*r.shared)})
	}
	return marshal(map[string]any{"ratings": list})
}

// explored notes points, and asks for the first names that the records hold.
// It asks for one of them twice, in other words.
func explored(question, asked, context string) string {
	next := []map[string]any{}
	asked, _, _ = strings.Cut(asked, "<<<")
	seen := map[string]bool{}
	for _, s := range sentences(context) {
		for _, name := range named(s) {
			if !seen[name] && !strings.Contains(asked, name) && len(next) < 3 {
				seen[name] = true
				next = append(next, map[string]any{"question": "Who is " + name + "?", "score": 90 - 10*len(next)})
			}
		}
	}
	if len(next) > 0 {
		first, _ := next[0]["question"].(string)
		next = append(next, map[string]any{"question": strings.ToUpper(first) + "?", "score": "15"})
	}
	return marshal(map[string]any{"points": pointsOf(question, context), "follow_ups": next})
}
