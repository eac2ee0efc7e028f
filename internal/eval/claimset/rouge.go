// Package claimset measures sets of claims: how similar two claims are, and how many clusters the
// claims of an answer have (GraphRAG 4.2).
package claimset

import (
	"strings"
	"unicode"

	"github.com/neorag/neorag/internal/text"
)

// Words returns the lower-case words of a text, without punctuation.
func Words(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r) })
}

// rougeL returns the F1 of the longest common subsequence of the words of two texts, from 0 to 1.
// It is 0 if one of them has no words.
func rougeL(a, b []string) float64 {
	if len(a) == 0 || len(b) == 0 {
		return 0
	}
	return 2 * float64(text.CommonLength(a, b)) / float64(len(a)+len(b))
}

// Unique returns the claims without those that have the same words as an earlier one, in any case
// and with any punctuation, and without those that have no words.
func Unique(claims []string) []string {
	out := []string{}
	seen := map[string]bool{}
	for _, c := range claims {
		if key := strings.Join(Words(c), " "); key != "" && !seen[key] {
			seen[key] = true
			out = append(out, c)
		}
	}
	return out
}
