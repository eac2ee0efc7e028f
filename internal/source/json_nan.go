package source

import (
	"bytes"
	"io"

	"golang.org/x/text/transform"
)

// withoutNaN returns a text of JSON in which numbers that JSON does not have, as Python writes
// them, are null.
func withoutNaN(text io.Reader) io.Reader { return transform.NewReader(text, &nanReplacer{}) }

// nan are the numbers, the longer ones first.
var nan = [][]byte{[]byte("-Infinity"), []byte("Infinity"), []byte("NaN")}

// A nanReplacer replaces numbers outside of strings.
type nanReplacer struct{ at jsonValue }

func (r *nanReplacer) Reset() { *r = nanReplacer{} }

func (r *nanReplacer) Transform(dst, src []byte, atEOF bool) (nDst, nSrc int, err error) {
	for nSrc < len(src) {
		c := src[nSrc]
		if !r.at.quoted && (c == 'N' || c == 'I' || c == '-') {
			number, short := startsWithNumber(src[nSrc:])
			if short && !atEOF {
				return nDst, nSrc, transform.ErrShortSrc
			}
			if number > 0 {
				if len(dst)-nDst < len("null") {
					return nDst, nSrc, transform.ErrShortDst
				}
				nDst += copy(dst[nDst:], "null")
				nSrc += number
				continue
			}
		}
		if nDst == len(dst) {
			return nDst, nSrc, transform.ErrShortDst
		}
		r.at.step(c)
		dst[nDst] = c
		nDst++
		nSrc++
	}
	return nDst, nSrc, nil
}

// startsWithNumber returns the length of such a number at the beginning of a text, and whether the
// text is only the beginning of one.
func startsWithNumber(text []byte) (length int, short bool) {
	for _, n := range nan {
		if bytes.HasPrefix(text, n) {
			return len(n), false
		}
		if bytes.HasPrefix(n, text) {
			return 0, true
		}
	}
	return 0, false
}
