package openai

import (
	"errors"
	"strings"
)

// errLoop is the reason why an answer is cut off: the model repeats itself without end.
var errLoop = errors.New("let the model repeat itself less (another model, a larger one, or its penalty for repetition)")

const (
	// A passage of at least minPassage bytes that ends a text minCopies times in a row, with at
	// least minLoop bytes together, is a loop: tables, lists and refrains have fewer equal copies,
	// or other words in each. A shorter passage, as of white space or a ruler, is a loop only
	// with minShortLoop bytes.
	minPassage   = 20
	minCopies    = 8
	minLoop      = 500
	minShortLoop = 2000
	// maxPassage is the longest passage that is looked for.
	maxPassage = 2000
	// loopStep is how many bytes of a stream come between two looks for a loop.
	loopStep = 256
)

// cutLoop returns a text without the copies of the passage that it ends with again and again,
// except the first. It reports whether there were any.
func cutLoop(s string) (string, bool) {
	for trimmed := s; ; {
		if period, length := tailPeriod(trimmed[max(0, len(trimmed)-maxPassage*(minCopies+1)):]); period > 0 {
			for length < len(trimmed) && trimmed[len(trimmed)-length-1] == trimmed[len(trimmed)-length-1+period] {
				length++
			}
			return strings.ToValidUTF8(trimmed[:len(trimmed)-length+period], ""), true
		}
		// The last words may have been cut off by the limit of tokens, and white space removed.
		return s, false
	}
}

// tailPeriod returns the length of the passage that s ends with again and again, and how many
// bytes of the end of s consist of it; 0 if that is no loop. A loop may end within a copy.
func tailPeriod(s string) (period, length int) {
	// The failure function of the reversed text: its first n bytes have the period n - border[n].
	border := make([]int, len(s)+1)
	at := func(i int) byte { return s[len(s)-1-i] }
	for n, k := 1, 0; n < len(s); n++ {
		for k > 0 && at(n) != at(k) {
			k = border[k]
		}
		if at(n) == at(k) {
			k++
		}
		border[n+1] = k
		p := n + 1 - k
		if p <= maxPassage && isLoop(p, n+1) {
			return p, n + 1
		}
	}
	return 0, 0
}

// isLoop reports whether some bytes with a period are a loop.
func isLoop(period, length int) bool {
	if period < minPassage {
		return length >= minShortLoop
	}
	return length >= minCopies*period && length >= minLoop
}
