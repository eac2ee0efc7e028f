package tokens

import (
	"unicode"
	"unicode/utf8"
)

const (
	// maxRun is the longest run of one class of character that is encoded as a whole.
	maxRun = 256
	// cutRun is the length of the pieces that a longer run is encoded in.
	cutRun = 64
	// maxSegment bounds the bytes of a segment, and so the memory of its encoding.
	maxSegment = 4096
)

// class sorts characters as the patterns of the encodings do.
type class uint8

const (
	other   class = iota // punctuation, symbols, controls
	letter               // \p{L}
	mark                 // \p{M}: a letter to one encoding, other to the other
	number               // \p{N}
	newline              // \r and \n
	space                // \s but for these
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

// segment is the end of the segment of text that starts at from, and whether
// it is UTF-8. A segment ends where the patterns of both encodings always end a
// piece, whatever stands around it, so that encoding the segments one by one
// gives the tokens of the whole; a run of one class and the segment itself also
// end when they grow too long.
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
		// A number is three digits at most to the encodings: its runs are harmless.
		if guard := kind(cl); i > from && guard == kind(prev) && guard != number {
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

// boundary tells whether both encodings end a piece between a character of
// class a and the character r of class b.
func boundary(a, b class, r rune) bool {
	blank := a == space || a == newline
	switch {
	case b == space: // white space follows nothing but white space inside a piece
		return !blank
	case a == newline:
		return b == letter
	case blank: // how white space ends depends on what follows
		return false
	case a == number || b == number:
		return a != b
	case a == letter: // but contractions: don't
		return b == other && r != '\''
	}
	return false
}

// kind merges the classes that one piece can consist of.
func kind(c class) class {
	switch c {
	case mark:
		return letter
	case newline:
		return space
	}
	return c
}
