package extract

import (
	"strings"
	"unicode"

	"github.com/neorag/neorag/internal/text/textproc"
)

const (
	minHalf      = 40   // bytes of a half, at least
	longSentence = 2000 // bytes of a text without sentences that is divided between words
)

// halve divides a text at the beginning of the sentence that is nearest to its middle. A text
// without such sentences is divided between words if it is long, else it is not ok: what is said
// across the cut would be lost.
func halve(text string) (first, second string, ok bool) {
	at := 0
	for _, s := range textproc.Sentences(text) {
		at = nearerToMiddle(text, at, s.Start)
	}
	if min(at, len(text)-at) < minHalf && len(text) >= longSentence {
		for i, r := range text {
			if unicode.IsSpace(r) {
				at = nearerToMiddle(text, at, i)
			}
		}
	}
	if min(at, len(text)-at) < minHalf {
		return "", "", false
	}
	return strings.TrimSpace(text[:at]), strings.TrimSpace(text[at:]), true
}

// nearerToMiddle returns the one of two offsets that is nearer to the middle of a text.
func nearerToMiddle(text string, a, b int) int {
	middle := len(text) / 2
	if max(b-middle, middle-b) < max(a-middle, middle-a) {
		return b
	}
	return a
}
