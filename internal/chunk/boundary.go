package chunk

import (
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
// among those of the best kind, the one whose surrounding bytes (contextBytes on each
// side) have the smallest hash. It returns 0 if there is none. The choice depends only on
// the bytes near the boundaries, so two texts that are equal in the range are cut at the
// same place.
func bestBoundary(text string, low, high int) int {
	at, found, least := 0, none, uint64(0)
	eachWordBoundary(text, low, high, func(i int) bool {
		k := kindAt(text, i)
		if k < found {
			return true
		}
		if h := hash64(text[max(0, i-contextBytes):min(len(text), i+contextBytes)]); k > found || h < least {
			at, found, least = i, k, h
		}
		return true
	})
	return at
}

// firstWord returns the first word boundary in [low, high], or 0 if there is none.
func firstWord(text string, low, high int) int {
	at := 0
	eachWordBoundary(text, low, high, func(i int) bool {
		at = i
		return false
	})
	return at
}

// lastWord returns the last word boundary in [low, high], or 0 if there is none.
func lastWord(text string, low, high int) int {
	at := 0
	eachWordBoundary(text, low, high, func(i int) bool {
		at = i
		return true
	})
	return at
}

// eachWordBoundary calls yield with the word boundaries in [low, high] in
// ascending order until yield returns false. Word boundaries are where white
// space ends, and between characters of scripts that put no space between words.
func eachWordBoundary(text string, low, high int, yield func(i int) bool) {
	low = nextRuneBoundary(text, max(low, 1))
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
	return unicode.In(r, unicode.Han, unicode.Hiragana) || isFullStop(r) || r == '、' || r == '，'
}

func isFullStop(r rune) bool { return strings.ContainsRune("。！？｡", r) }

// kindAt returns the kind of the boundary before the word that starts at i.
func kindAt(text string, i int) boundaryKind {
	before := strings.TrimRightFunc(text[:i], unicode.IsSpace)
	gap := text[len(before):i]
	if _, after, newline := strings.Cut(gap, "\n"); newline {
		if strings.Contains(after, "\n") {
			return paragraph
		}
		if startsItem(text[i:]) {
			return sentence
		}
	}
	if endsSentence(before, gap, text[i:]) {
		return sentence
	}
	return word
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

// endsSentence reports whether before ends with a full stop, possibly inside
// quotes, that does not belong to an abbreviation.
func endsSentence(before, gap, after string) bool {
	before = tail(before, 64)
	bare := strings.TrimRightFunc(before, func(r rune) bool { return strings.ContainsRune(`"'”’»)]*_」』）`, r) })
	stop, n := utf8.DecodeLastRuneInString(bare)
	switch {
	case isFullStop(stop):
		return true
	case gap == "":
		return false
	case stop == '!' || stop == '?' || stop == '…':
		return !startsLower(after)
	case stop != '.' || startsLower(after):
		return false
	}
	return !endsInAbbreviation(bare[:len(bare)-n])
}

// tail returns about the last n bytes of s.
func tail(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return s[nextRuneBoundary(s, len(s)-n):]
}

func startsLower(s string) bool {
	s = strings.TrimLeft(s, `"'“‘«([*_`)
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsLower(r)
}

// abbreviations are those usually followed by a name or number.
var abbreviations = map[string]bool{
	"mr": true, "mrs": true, "ms": true, "dr": true, "st": true, "prof": true, "rev": true, "hon": true, "fr": true,
	"jr": true, "sr": true, "messrs": true, "mme": true, "mlle": true, "capt": true, "col": true, "gen": true, "lt": true,
	"sgt": true, "gov": true, "sen": true, "rep": true, "pres": true, "vs": true, "cf": true, "no": true, "nos": true,
	"fig": true, "figs": true, "eq": true, "vol": true, "pp": true, "ed": true, "eds": true, "approx": true, "ca": true,
	"e.g": true, "i.e": true, "al": true, "mt": true, "ft": true, "nr": true, "hr": true,
}

// endsInAbbreviation reports whether the last word of s, which is followed by a
// full stop, is an abbreviation or an initial.
func endsInAbbreviation(s string) bool {
	last := s[strings.LastIndexFunc(s, func(r rune) bool { return unicode.IsSpace(r) || r == '(' || r == '“' || r == '"' })+1:]
	last = strings.TrimLeftFunc(last, func(r rune) bool { return !unicode.IsLetter(r) })
	r, n := utf8.DecodeRuneInString(last)
	initial := n > 0 && n == len(last) && unicode.IsUpper(r) && r != 'I'
	return initial || abbreviations[strings.ToLower(last)]
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
