package openai

import "strings"

// loopStep is how many bytes come between two looks for a loop.
const loopStep = 256

const (
	// A passage of at least minPassage bytes that ends a text minCopies times in a row, with at
	// least minLoop bytes together, is a loop: tables, lists and refrains have fewer equal copies
	// or other words in each. A shorter passage, such as white space or a ruler, is a loop only
	// with minShortLoop bytes. maxPassage is the longest passage that is looked for.
	minPassage   = 20
	minCopies    = 8
	minLoop      = 500
	minShortLoop = 2000
	maxPassage   = 2000
)

// cutLoop returns a text without the copies of the passage that it ends with again and again,
// except the first. It reports whether there were any. The last copy may be incomplete.
func cutLoop(text string) (string, bool) {
	period, length := tailPeriod(text[max(0, len(text)-maxPassage*(minCopies+1)):])
	if period == 0 {
		return text, false
	}
	start := len(text) - length
	for start > 0 && text[start-1] == text[start-1+period] {
		start--
	}
	return strings.ToValidUTF8(text[:start+period], ""), true
}

// tailPeriod returns the length of the passage that a text ends with again and again, and how
// many bytes of its end consist of copies; 0 if it is not a loop.
func tailPeriod(text string) (period, length int) {
	// border[n] is the length of the longest border of the last n bytes, by the algorithm of
	// Knuth, Morris and Pratt on the reversed text; n - border[n] is their period.
	border := make([]int, len(text)+1)
	at := func(i int) byte { return text[len(text)-1-i] }
	k := 0
	for n := 1; n < len(text); n++ {
		for k > 0 && at(n) != at(k) {
			k = border[k]
		}
		if at(n) == at(k) {
			k++
		}
		border[n+1] = k
		if p := n + 1 - k; p <= maxPassage && isLoop(p, n+1) {
			return p, n + 1
		}
	}
	return 0, 0
}

// isLoop reports whether that many bytes with a period are a loop.
func isLoop(period, length int) bool {
	if period < minPassage {
		return length >= minShortLoop
	}
	return length >= minCopies*period && length >= minLoop
}
