package extract

import (
	"strings"
	"unicode"

	"github.com/neorag/neorag/internal/textproc"
)

// minHalf is the size in bytes below which a text is not divided.
const minHalf = 80

// halve divides a text at the beginning of the sentence that is nearest to its middle, else
// at the white space nearest to it. It is not ok if the text is too short, or one word.
func halve(text string) (first, second string, ok bool) {
	at := 0
	for _, s := range textproc.Sentences(text) {
		at = nearerToMiddle(text, at, s.Start)
	}
	if min(at, len(text)-at) < minHalf {
		at = 0
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
