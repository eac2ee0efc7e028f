package extract

import (
	"strings"
	"unicode"
)

// foldText returns a text for comparison: in lower case, with single spaces, one kind of
// apostrophe, without double quotes, and without hyphens in words, also at the end of a line.
func foldText(s string) string {
	var b strings.Builder
	space, letter, hyphen := false, false, false // before the rune; hyphen: after a letter
	for _, r := range strings.ToLower(s) {
		switch {
		case unicode.IsSpace(r):
			space = !hyphen
			continue
		case strings.ContainsRune(quoteSigns+"‟〝〞＂", r) || unicode.Is(unicode.Cf, r):
			continue
		case strings.ContainsRune("‘’‚‛‹›`´ʼ＇", r):
			r = '\''
		case unicode.Is(unicode.Pd, r) || r == '−':
			if hyphen = letter && !space; hyphen {
				continue
			}
			r = '-'
		}
		if space && b.Len() > 0 {
			b.WriteByte(' ')
		}
		space, letter, hyphen = false, unicode.IsLetter(r), false
		b.WriteRune(r)
	}
	return b.String()
}
