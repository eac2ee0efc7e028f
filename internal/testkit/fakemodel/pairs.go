package fakemodel

import "strings"

// pairs returns question-answer pairs of a text: of each sentence with a name the question
// what is said about it. The first answer leaves the last pair out, repeats one and has one
// without an answer; another answer has all.
func pairs(text string, more bool) string {
	all := []map[string]any{}
	for _, s := range sentences(text) {
		if found := names(s); len(found) > 0 {
			all = append(all, map[string]any{"index": len(all), "query": "What is said about " + strings.Join(found, " and ") + " in sentence " + s[:min(12, len(s))] + "?", "answer": s})
		}
	}
	if !more && len(all) > 1 {
		last := len(all) - 1
		all[last] = map[string]any{"index": last, "query": all[0]["query"], "answer": all[0]["answer"]}
		all = append(all, map[string]any{"index": last + 1, "query": "Who?", "answer": ""})
	}
	return marshal(map[string]any{"pairs": all})
}
