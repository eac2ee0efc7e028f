package text

import (
	"iter"
	"strings"
	"unicode"
)

// Words iterates over the words of a text in lower case: runs of letters and digits with
// at least two of them.
func Words(s string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for word := range strings.FieldsFuncSeq(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) }) {
			if len(word) > 1 && !yield(word) {
				return
			}
		}
	}
}

// CommonLength returns the length of the longest common subsequence of two lists of words.
func CommonLength(a, b []string) int {
	row := make([]int, len(b)+1) // row[j] is the length for the words of a so far and b[:j]
	for _, x := range a {
		diagonal := 0
		for j, y := range b {
			above := row[j+1]
			if x == y {
				row[j+1] = diagonal + 1
			} else {
				row[j+1] = max(above, row[j])
			}
			diagonal = above
		}
	}
	return row[len(b)]
}

// JoinAnd joins words as "A, B and C".
func JoinAnd(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " and " + words[last]
}
