package textproc

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

func isSpace(r rune) bool { return r == '_' || unicode.IsSpace(r) }

// isInWord reports whether r can be part of a word. Combining marks belong to the letter
// before them.
func isInWord(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
	}
	return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r)
}

// scan returns the next token at or after i: a word with its hyphens and contractions,
// an abbreviation with its full stop, a number, 's, or one mark. At the end, start is
// len(s). Underscores, which mark italics, count as white space.
func scan(s string, i int) (start, end int) {
	var r rune
	n := 0
	for ; i < len(s); i += n {
		if r, n = utf8.DecodeRuneInString(s[i:]); !isSpace(r) {
			break
		}
	}
	switch {
	case i >= len(s):
		return len(s), len(s)
	case unicode.IsDigit(r):
		return i, numberEnd(s, i)
	case unicode.IsLetter(r):
		if end := dottedEnd(s, i); end > 0 {
			return i, end
		}
		return i, wordEnd(s, i+n)
	case r == '\'' || r == '’':
		if j := i + n; j < len(s) && s[j] == 's' && !wordContinues(s, j+1) {
			return i, j + 1
		}
	}
	return i, i + n
}

// wordContinues reports whether a word or an underscore is at i.
func wordContinues(s string, i int) bool {
	r, n := utf8.DecodeRuneInString(s[i:])
	return n > 0 && (r == '_' || isInWord(r))
}

// numberEnd returns the end of the number at i: digits with the marks between them, and
// a per cent sign.
func numberEnd(s string, i int) int {
	end := i
	for i < len(s) {
		r, n := utf8.DecodeRuneInString(s[i:])
		i += n
		if unicode.IsDigit(r) {
			end = i
		} else if !strings.ContainsRune(".,:/-", r) {
			break
		}
	}
	if end < len(s) && s[end] == '%' {
		end++
	}
	return end
}

// wordEnd returns the end of the word whose first letter ends at i.
func wordEnd(s string, i int) int {
	for i < len(s) {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case isInWord(r):
		case (r == '-' || r == '&') && i+n < len(s) && isInWordAt(s, i+n):
		case (r == '\'' || r == '’') && isInWordAt(s, i+n) && (s[i+n] != 's' || wordContinues(s, i+n+1)):
		default:
			return i
		}
		i += n
	}
	return i
}

func isInWordAt(s string, i int) bool {
	r, n := utf8.DecodeRuneInString(s[i:])
	return n > 0 && isInWord(r)
}

// dottedEnd returns the end of the abbreviation or initial at i, with its full stop, or
// 0.
func dottedEnd(s string, i int) int {
	if end := lettersEnd(s, i); end > 0 {
		return abbreviationEnd(s, i, end)
	}
	j := i
	for j+1 < len(s) && 'A' <= s[j] && s[j] <= 'Z' && s[j+1] == '.' {
		j += 2
	}
	if j-i >= 4 { // U.S.
		return j
	}
	if j > i { // an initial
		if k := skipSpace(s, j); k > j && k < len(s) && 'A' <= s[k] && s[k] <= 'Z' {
			return j
		}
		return 0
	}
	for j < len(s) && j-i < len("approx") && 'a' <= s[j]|32 && s[j]|32 <= 'z' {
		j++
	}
	if j-i < 2 || j == len(s) || s[j] != '.' {
		return 0
	}
	if w := s[i : j+1]; ClassOf(strings.ToLower(w))&Abbreviation == 0 || s[i] >= 'a' && !strings.Contains(smallAbbreviations, " "+w+" ") {
		return 0
	}
	return abbreviationEnd(s, i, j+1)
}

// smallAbbreviations are those that are usual without a capital.
const smallAbbreviations = " approx. bspw. bzw. ca. cf. etc. evtl. exkl. geb. ggf. inkl. lt. max. rd. rer. resp. sog. usw. vgl. vs. zzgl. "

// letterAbbreviations consist of letters with full stops, and in some languages with spaces between
// them.
const letterAbbreviations = " a.a.O. a.D. a.m. B.Sc. d.Gr. d.h. e.g. e.V. h.c. i.A. i.d.R. i.e. i.v. m.E. n.Chr. o.ä. o.Ä. M.Sc. o.g. p.ej. p.m. Ph.D. s.o. s.u. u.a. u.ä. u.U. u.v.m. v.a. v.Chr. z.B. z.T. z.Z. "

// lettersEnd returns the end of the abbreviation of letters at i, or 0.
func lettersEnd(s string, i int) int {
	if i+3 >= len(s) || !isASCIILetter(s[i]) || s[i+1] != '.' && (s[i+2] != '.' || s[i] != 'P') {
		return 0
	}
	var joined []byte
	found := 0
	for j := i; j < len(s) && len(joined) < 10; {
		k := j
		for k < len(s) && k-j < 4 && isInWordAt(s, k) {
			_, n := utf8.DecodeRuneInString(s[k:])
			k += n
		}
		if k == j || k == len(s) || s[k] != '.' {
			break
		}
		joined = append(joined, s[j:k+1]...)
		if strings.Contains(letterAbbreviations, " "+string(joined)+" ") {
			found = k + 1
		}
		if j = k + 1; j < len(s) && s[j] == ' ' {
			j++
		}
	}
	return found
}

// abbreviationEnd returns j if white space or a comma follows, else 0. "No." is an
// abbreviation only before a number.
func abbreviationEnd(s string, i, j int) int {
	k := skipSpace(s, j)
	if k == len(s) || k == j && s[k] != ',' {
		return 0
	}
	if s[i:j] == "No." && (s[k] < '0' || s[k] > '9') {
		return 0
	}
	return j
}

func skipSpace(s string, i int) int {
	for i < len(s) {
		r, n := utf8.DecodeRuneInString(s[i:])
		if !isSpace(r) {
			break
		}
		i += n
	}
	return i
}
