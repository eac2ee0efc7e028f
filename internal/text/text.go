package text

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// OneLine replaces each run of white space in s by one space, and removes it at the ends.
func OneLine(s string) string {
	if isOneLine(s) {
		return s
	}
	return strings.Join(strings.Fields(s), " ")
}

// isOneLine reports whether all white space in s is single spaces between other characters.
func isOneLine(s string) bool {
	space := true
	for _, r := range s {
		if unicode.IsSpace(r) {
			if space || r != ' ' {
				return false
			}
			space = true
		} else {
			space = false
		}
	}
	return !space || s == ""
}

// Count returns a number with the noun that fits it.
func Count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

// HasAnySuffix reports whether s ends with one of some endings.
func HasAnySuffix(s string, endings ...string) bool {
	return slices.ContainsFunc(endings, func(ending string) bool { return strings.HasSuffix(s, ending) })
}

// FirstLine returns s up to its first line break.
func FirstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

// Shorten cuts s to at most n characters if it has more, the last of which is an ellipsis.
// It cuts after a word if one ends in the second half.
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

// Truncate cuts s to at most n bytes, between characters.
func Truncate(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
