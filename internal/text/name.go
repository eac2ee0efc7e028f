package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxName is how many characters a name has at most.
const MaxName = 40

// IsName reports whether a text can be a name in a prompt, such as of a type or a language: letters
// and digits of any script, spaces and hyphens, at most MaxName. It has no sentence in it, and no
// mark that means something in a prompt or a format.
func IsName(s string) bool {
	return s != "" && s == strings.TrimSpace(s) && utf8.ValidString(s) && utf8.RuneCountInString(s) <= MaxName && !strings.ContainsFunc(s, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsNumber(r) && r != ' ' && r != '-'
	})
}
