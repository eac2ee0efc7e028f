package extract

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// foldText returns a text for comparison: in lower case, with single spaces, one kind of
// apostrophe, without double quotes, and without hyphens in words, also at the end of a line.
func foldText(s string) string { return fold(s).text }

// A foldedText is a text for comparison that knows where its bytes come from.
type foldedText struct {
	text       string
	start, end []int // by byte of text: the bytes of the original text that it comes from
}

func fold(s string) foldedText {
	var b strings.Builder
	var f foldedText
	write := func(r rune, at, size int) {
		n, _ := b.WriteRune(r)
		for range n {
			f.start, f.end = append(f.start, at), append(f.end, at+size)
		}
	}
	space, letter, hyphen := -1, false, false // before the rune: where white space begins, or -1; a letter; a hyphen after one
	for at, r := range s {
		size := utf8.RuneLen(r)
		if r == utf8.RuneError {
			_, size = utf8.DecodeRuneInString(s[at:])
		}
		r = unicode.ToLower(r)
		switch {
		case unicode.IsSpace(r):
			if space < 0 && !hyphen {
				space = at
			}
			continue
		case strings.ContainsRune(quoteSigns+"‟〝〞＂", r) || unicode.Is(unicode.Cf, r):
			continue
		case strings.ContainsRune("‘’‚‛‹›`´ʼ＇", r):
			r = '\''
		case unicode.Is(unicode.Pd, r) || r == '−':
			if hyphen = letter && space < 0; hyphen {
				continue
			}
			r = '-'
		}
		if space >= 0 && b.Len() > 0 {
			write(' ', space, 1)
		}
		write(r, at, size)
		space, letter, hyphen = -1, unicode.IsLetter(r), false
	}
	f.text = b.String()
	return f
}
