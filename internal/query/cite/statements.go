package cite

import (
	"slices"
	"strings"
)

// AnswerSentences returns the sentences of an answer in their order, headings included, without
// citations and marks of Markdown.
func AnswerSentences(answer string) []string {
	var out []string
	for line := range strings.Lines(loneMarks.ReplaceAllString(answer, " [$1")) {
		out = append(out, sentencesOf(line)...)
	}
	return out
}

// Statements returns the sentences of an answer that state something: those with a citation, and
// those that need one. Each occurs once.
func Statements(answer string) []string {
	said, uncited := sayings(answer)
	stated := map[string]bool{}
	for _, s := range said {
		for _, sentence := range sentencesOf(s.text) {
			stated[sentence] = states(sentence)
		}
	}
	for _, sentence := range uncited {
		stated[sentence] = true
	}
	var out []string
	for _, sentence := range AnswerSentences(answer) {
		if stated[sentence] && !slices.Contains(out, sentence) {
			out = append(out, sentence)
		}
	}
	return out
}
