package chunk

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A kind of boundary: the better, the greater.
type kind uint8

const (
	none kind = iota
	word
	sentence
	paragraph
)

// neighbourhood is the number of bytes on either side of a boundary that decide
// between it and others of its kind.
const neighbourhood = 32

// best is the boundary of text in [low, high] that a window should end at: of
// those of the best kind the one whose neighbourhood hashes smallest. It is 0 if
// there is none. The choice depends on nothing but the bytes near the boundaries:
// two texts that are equal in the range are cut at the same place.
func best(text string, low, high int) int {
	at, found, least := 0, none, uint64(0)
	eachWord(text, low, high, func(i int) bool {
		k := kindOf(text, i)
		if k < found {
			return true
		}
		if h := hash(text[max(0, i-neighbourhood):min(len(text), i+neighbourhood)]); k > found || h < least {
			at, found, least = i, k, h
		}
		return true
	})
	return at
}

// firstWord is the first word boundary in [low, high], 0 if there is none.
func firstWord(text string, low, high int) int {
	at := 0
	eachWord(text, low, high, func(i int) bool {
		at = i
		return false
	})
	return at
}

// lastWord is the last word boundary in [low, high], 0 if there is none.
func lastWord(text string, low, high int) int {
	at := 0
	eachWord(text, low, high, func(i int) bool {
		at = i
		return true
	})
	return at
}

// eachWord calls yield with the word boundaries in [low, high], ascending, until
// it returns false: where white space ends, and between characters of scripts
// that write no space between words.
func eachWord(text string, low, high int, yield func(i int) bool) {
	low = nextRune(text, max(low, 1))
	if low > high {
		return
	}
	prev, _ := utf8.DecodeLastRuneInString(text[:low])
	for i := low; i <= high && i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		if wordBetween(prev, r) && !yield(i) {
			return
		}
		prev = r
		i += n
	}
}

func wordBetween(prev, r rune) bool {
	if unicode.IsSpace(r) {
		return false
	}
	if unicode.IsSpace(prev) {
		return true
	}
	if prev < 0x2e80 && r < 0x2e80 {
		return false // the scripts below start there
	}
	return (unspaced(prev) || unspaced(r)) && !unicode.IsMark(r) && !unicode.IsPunct(r)
}

// unspaced tells whether words may begin or end at any character of its script.
// Katakana is left out: its runs are names and loan words.
func unspaced(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana) || isFullStop(r) || r == '、' || r == '，'
}

func isFullStop(r rune) bool { return strings.ContainsRune("。！？｡", r) }

// kindOf tells what ends before the word that starts at i.
func kindOf(text string, i int) kind {
	before := strings.TrimRightFunc(text[:i], unicode.IsSpace)
	gap := text[len(before):i]
	if _, after, newline := strings.Cut(gap, "\n"); newline {
		if strings.Contains(after, "\n") {
			return paragraph
		}
		if startsLine(text[i:]) {
			return sentence
		}
	}
	if endsSentence(before, gap, text[i:]) {
		return sentence
	}
	return word
}

// startsLine tells whether a line starts something new: an item of a list, a
// heading, a row of a table, what another speaker says.
func startsLine(line string) bool {
	for _, mark := range []string{"- ", "* ", "+ ", "• ", "#", "|"} {
		if strings.HasPrefix(line, mark) {
			return true
		}
	}
	speaker, _, found := strings.Cut(line[:min(len(line), 40)], ": ")
	return found && !strings.ContainsFunc(speaker, unicode.IsSpace)
}

// endsSentence tells whether before ends with a full stop, perhaps in quotes,
// that is not one of an abbreviation.
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
	return !abbreviated(bare[:len(bare)-n])
}

// tail is the end of s, about n bytes.
func tail(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return s[nextRune(s, len(s)-n):]
}

func startsLower(s string) bool {
	s = strings.TrimLeft(s, `"'“‘«([*_`)
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsLower(r)
}

// abbreviations are those that a name or number usually follows.
var abbreviations = map[string]bool{
	"mr": true, "mrs": true, "ms": true, "dr": true, "st": true, "prof": true, "rev": true, "hon": true, "fr": true,
	"jr": true, "sr": true, "messrs": true, "mme": true, "mlle": true, "capt": true, "col": true, "gen": true, "lt": true,
	"sgt": true, "gov": true, "sen": true, "rep": true, "pres": true, "vs": true, "cf": true, "no": true, "nos": true,
	"fig": true, "figs": true, "eq": true, "vol": true, "pp": true, "ed": true, "eds": true, "approx": true, "ca": true,
	"e.g": true, "i.e": true, "al": true, "mt": true, "ft": true, "nr": true, "hr": true,
}

// abbreviated tells whether the last word of s, which a full stop follows, is
// an abbreviation or an initial.
func abbreviated(s string) bool {
	last := s[strings.LastIndexFunc(s, func(r rune) bool { return unicode.IsSpace(r) || r == '(' || r == '“' || r == '"' })+1:]
	last = strings.TrimLeftFunc(last, func(r rune) bool { return !unicode.IsLetter(r) })
	r, n := utf8.DecodeRuneInString(last)
	initial := n > 0 && n == len(last) && unicode.IsUpper(r) && r != 'I'
	return initial || abbreviations[strings.ToLower(last)]
}

// hash spreads the bytes of s over 64 bits: FNV-1a and a finaliser, without
// which neighbours that differ in their last bytes alone would hash alike.
func hash(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	h ^= h >> 33
	h *= 0xff51afd7ed558ccd
	h ^= h >> 33
	return h
}
