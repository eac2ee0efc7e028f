package cite

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/neorag/neorag/internal/text/textproc"
)

// spoken reports whether a sentence of a text is said by somebody in it: it begins inside
// quotation marks that its paragraph opens and does not close before.
func spoken(source string, sentence textproc.Span) bool {
	start := strings.LastIndex(source[:sentence.Start], "\n\n") + 1
	inside := false
	before := ' '
	for i := start; i < sentence.End; {
		r, n := utf8.DecodeRuneInString(source[i:])
		next, _ := utf8.DecodeRuneInString(source[i+n:])
		if i >= sentence.Start && !isMark(r) && !unicode.IsSpace(r) {
			break
		}
		switch {
		case !isMark(r):
		case opens(before, next):
			inside = true
		case closes(r, before, next):
			inside = false
		}
		before = r
		i += n
	}
	return inside
}

func isMark(r rune) bool { return strings.ContainsRune(`'"“”‘’„«»‹›`, r) }

// opens reports whether a quotation mark between two characters begins a speech.
func opens(before, next rune) bool {
	return !unicode.IsLetter(before) && !unicode.IsDigit(before) && !strings.ContainsRune(".,!?;:…", before) &&
		(unicode.IsLetter(next) || unicode.IsDigit(next) || next == '_' || next == '…')
}

// closes reports whether a quotation mark between two characters ends a speech. An apostrophe
// does not.
func closes(mark, before, next rune) bool {
	if mark == '\'' || mark == '’' {
		return strings.ContainsRune(".,!?;:…-—_)", before) && !unicode.IsLetter(next)
	}
	return !unicode.IsSpace(before)
}
