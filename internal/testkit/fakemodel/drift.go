package fakemodel

import "strings"

// drift returns points, and follow-up questions about the first names in the context.
// One question is repeated in other letters. asked is the prompt: names in it before
// the context get no question.
func drift(question, asked, context string) string {
	next := []map[string]any{}
	asked, _, _ = strings.Cut(asked, context)
	seen := map[string]bool{}
	for _, s := range sentences(context) {
		for _, name := range names(s) {
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
	return marshal(map[string]any{"points": points(question, context), "follow_ups": next})
}
