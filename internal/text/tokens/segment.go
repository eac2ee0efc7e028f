package tokens

import (
	"unicode"
	"unicode/utf8"
)

const (
	// maxRun is the length of the longest run of characters of one class that is encoded
	// as a whole.
	maxRun = 256
	// cutRun is the length of the pieces of a longer run.
	cutRun = 64
	// maxSegment bounds the bytes of a segment, and so the memory of its encoding.
	maxSegment = 4096
)

// A class is a class of characters in the patterns of the encodings.
type class uint8

const (
	other   class = iota // punctuation, symbols, controls
	letter               // \p{L}
	mark                 // \p{M}: a letter in one encoding, other in the other
	number               // \p{N}
	newline              // \r and \n
	space                // \s except these
	invalid              // a byte that is not UTF-8
)

func classOf(r rune) class {
	if r < utf8.RuneSelf {
		return ascii[r]
	}
	switch {
	case unicode.IsLetter(r):
		return letter
	case unicode.IsSpace(r):
		return space
	case unicode.IsNumber(r):
		return number
	case unicode.IsMark(r):
		return mark
	}
	return other
}

var ascii = func() (table [utf8.RuneSelf]class) {
	for r := range rune(utf8.RuneSelf) {
		switch {
		case r == '\r' || r == '\n':
			table[r] = newline
		case unicode.IsSpace(r):
			table[r] = space
		case unicode.IsLetter(r):
			table[r] = letter
		case unicode.IsDigit(r):
			table[r] = number
		}
	}
	return table
}()

// segment returns the end of the segment of text that starts at from, and whether it is
// UTF-8. A segment ends where the patterns of both encodings always end a piece, in any
// context, so that encoding the segments one by one gives the tokens of the whole text. A
// segment also ends when it, or a run of one class, becomes too long.
func segment(text string, from int) (end int, valid bool) {
	prev, run, cut := invalid, 0, 0
	for i := from; i < len(text); {
		r, n := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, n = utf8.DecodeRuneInString(text[i:])
			if r == utf8.RuneError && n == 1 {
				if i == from {
					return i + 1, false
				}
				return i, true
			}
		}
		cl := classOf(r)
		if i > from && (boundary(prev, cl, r) || i+n-from > maxSegment) {
			return i, true
		}
		// The encodings split numbers into at most three digits: their runs are harmless.
		if k := kind(cl); i > from && k == kind(prev) && k != number {
			if run++; run > maxRun {
				return cut, true
			}
			if run == cutRun {
				cut = i + n
			}
		} else {
			run = 1
		}
		prev = cl
		i += n
	}
	return len(text), true
}

// boundary reports whether both encodings end a piece between a character of class a and
// the character r of class b.
func boundary(a, b class, r rune) bool {
	blank := a == space || a == newline
	switch {
	case b == space: // inside a piece, white space follows only white space
		return !blank
	case a == newline:
		return b == letter
	case blank: // where a piece ends depends on what follows the white space
		return false
	case a == number || b == number:
		return a != b
	case a == letter: // except in contractions: don't
		return b == other && r != '\''
	}
	return false
}

// kind merges classes that one piece can mix.
func kind(c class) class {
	switch c {
	case mark:
		return letter
	case newline:
		return space
	}
	return c
}
