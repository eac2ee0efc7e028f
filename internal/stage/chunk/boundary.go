package chunk

import (
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A boundaryKind ranks boundaries; a greater one is a better place to end a window.
type boundaryKind uint8

const (
	none boundaryKind = iota
	word
	sentence
	paragraph
)

// contextBytes is the number of bytes on either side of a boundary that are
// hashed to choose among boundaries of one kind.
const contextBytes = 32

// bestBoundary returns the boundary of text in [low, high] at which a window should end:
// among boundaries of the best kind, the one whose surrounding bytes (contextBytes on each
// side) have the smallest hash. It returns 0 if there is none. The choice depends only on
// the bytes near the boundaries, so two texts that are equal in the range are cut at the
// same place.
func (t tokenizedText) bestBoundary(low, high int) int {
	at, found, least := 0, none, uint64(0)
	for i := range wordBoundaries(t.text, low, high) {
		k := t.kindAt(i)
		if k < found {
			continue
		}
		if h := hash64(t.text[max(0, i-contextBytes):min(len(t.text), i+contextBytes)]); k > found || h < least {
			at, found, least = i, k, h
		}
	}
	return at
}

// firstWord returns the first word boundary in [low, high], or 0 if there is none.
func firstWord(text string, low, high int) int {
	for i := range wordBoundaries(text, low, high) {
		return i
	}
	return 0
}

// firstSentence returns the first boundary in [low, high] at which a sentence starts, or 0 if there is
// none.
func (t tokenizedText) firstSentence(low, high int) int {
	for i := range wordBoundaries(t.text, low, high) {
		if t.kindAt(i) >= sentence {
			return i
		}
	}
	return 0
}

// lastWord returns the last word boundary in [low, high], or 0 if there is none.
func lastWord(text string, low, high int) (at int) {
	for i := range wordBoundaries(text, low, high) {
		at = i
	}
	return at
}

// wordBoundaries iterates over the word boundaries in [low, high] in ascending order. Word boundaries
// are where white space ends, and between characters of scripts that put no space between words.
func wordBoundaries(text string, low, high int) iter.Seq[int] {
	return func(yield func(int) bool) {
		low := nextRuneBoundary(text, max(low, 1))
		if low > high {
			return
		}
		prev, _ := utf8.DecodeLastRuneInString(text[:low])
		for i := low; i <= high && i < len(text); {
			r, n := utf8.DecodeRuneInString(text[i:])
			if isWordBoundary(prev, r) && !yield(i) {
				return
			}
			prev = r
			i += n
		}
	}
}

// isWordBoundary reports whether a word may start between two adjacent runes.
func isWordBoundary(prev, r rune) bool {
	if unicode.IsSpace(r) {
		return false
	}
	if unicode.IsSpace(prev) {
		return true
	}
	if prev < 0x2e80 && r < 0x2e80 {
		return false // the scripts without spaces start at U+2E80
	}
	return (isUnspaced(prev) || isUnspaced(r)) && !unicode.IsMark(r) && !unicode.IsPunct(r)
}

// isUnspaced reports whether words may begin or end at any character of the
// rune's script. Katakana is left out because its runs are names and loan words.
func isUnspaced(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana) || strings.ContainsRune("。！？｡、，", r)
}

// kindAt returns the kind of the boundary before the word that starts at i.
func (t tokenizedText) kindAt(i int) boundaryKind {
	before := strings.TrimRightFunc(t.text[:i], unicode.IsSpace)
	gap := t.text[len(before):i]
	if _, after, newline := strings.Cut(gap, "\n"); newline {
		if strings.Contains(after, "\n") {
			return paragraph
		}
		if startsItem(t.text[i:]) {
			return sentence
		}
	}
	if t.startsSentence(i, gap) {
		return sentence
	}
	return word
}

// startsSentence reports whether a sentence starts at i, after white space. The mark of a list item and
// quotation marks may be between.
func (t tokenizedText) startsSentence(i int, gap string) bool {
	n, found := slices.BinarySearch(t.sentences, i)
	if found {
		last, _ := utf8.DecodeLastRuneInString(t.text[:i])
		return gap != "" || isUnspaced(last)
	}
	return n < len(t.sentences) && gap != "" && strings.Trim(t.text[i:t.sentences[n]], "\"'“‘«([*_> ") == ""
}

// startsItem reports whether a line starts a list item, a heading, a table row
// or a message of a speaker.
func startsItem(line string) bool {
	for _, mark := range []string{"- ", "* ", "+ ", "• ", "#", "|"} {
		if strings.HasPrefix(line, mark) {
			return true
		}
	}
	speaker, _, found := strings.Cut(line[:min(len(line), 40)], ": ")
	return found && !strings.ContainsFunc(speaker, unicode.IsSpace)
}

// hash64 hashes s with FNV-1a and a finaliser. Without the finaliser, texts that differ
// only in their last bytes would have similar hashes.
func hash64(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	h ^= h >> 33
	h *= 0xff51afd7ed558ccd
	h ^= h >> 33
	return h
}
