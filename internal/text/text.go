// Package text shortens texts for people: one line, a first line, at most so
// many characters. It knows no language; that is package textproc.
package text

import (
	"strings"
	"unicode/utf8"
)

// OneLine puts one space where s has any white space, and none at its ends.
func OneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// FirstLine is s up to its first line break.
func FirstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

// Shorten cuts s to at most n characters, if it has more: after a word where one
// ends in the second half, and closed by an ellipsis, which counts as one of the n.
func Shorten(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	end, runes := 0, 0
	for i := range s {
		if runes == n-1 {
			end = i
			break
		}
		runes++
	}
	if space := strings.LastIndexByte(s[:end], ' '); space > end/2 {
		end = space
	}
	return strings.TrimRight(s[:end], " ,;:") + "…"
}

// Truncate cuts s to at most n bytes without leaving half a character.
func Truncate(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
