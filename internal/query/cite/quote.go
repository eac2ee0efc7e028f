package cite

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/neorag/neorag/internal/text"
	"github.com/neorag/neorag/internal/text/textproc"
)

// locate finds a quote in a text, whatever white space separates the words of
// either, and returns its bytes there, with the mark that ends its sentence. A quote that was
// shortened ends in "…".
func locate(source, quote string) (textproc.Span, bool) {
	quote = text.OneLine(strings.TrimSuffix(strings.TrimSpace(quote), "…"))
	if quote == "" {
		return textproc.Span{}, false
	}
	folded, offsets := foldSpace(source)
	i := strings.Index(folded, quote)
	if i < 0 { // the mark at the end of a sentence may differ
		if quote = strings.TrimRight(quote, ".!?…"); quote == "" {
			return textproc.Span{}, false
		}
		if i = strings.Index(folded, quote); i < 0 {
			return textproc.Span{}, false
		}
	}
	end := offsets[i+len(quote)-1] + 1
	if mark := source[end:]; len(mark) > 0 && strings.ContainsRune(".!?", rune(mark[0])) && (len(mark) == 1 || unicode.IsSpace(rune(mark[1]))) {
		end++ // the sentence ends there
	}
	return textproc.Span{Start: offsets[i], End: end}, true
}

// locateWords finds a quote as locate does, but none that begins or ends inside a word.
func locateWords(source, quote string) (textproc.Span, bool) {
	for from := 0; from < len(source); {
		at, ok := locate(source[from:], quote)
		if !ok {
			break
		}
		at = textproc.Span{Start: from + at.Start, End: from + at.End}
		if !insideWord(source, at.Start) && !insideWord(source, at.End) {
			return at, true
		}
		_, n := utf8.DecodeRuneInString(source[at.Start:])
		from = at.Start + n
	}
	return textproc.Span{}, false
}

// insideWord reports whether a place of a text is between two characters of one word. Scripts
// that put no spaces between words have none.
func insideWord(s string, at int) bool {
	before, _ := utf8.DecodeLastRuneInString(s[:at])
	after, _ := utf8.DecodeRuneInString(s[at:])
	return inWord(before) && inWord(after)
}

func inWord(r rune) bool {
	return (unicode.IsLetter(r) || unicode.IsDigit(r)) && !unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai)
}

// foldSpace folds white space as text.OneLine does, except at the end, and
// returns for each byte that is left its offset in the source.
func foldSpace(source string) (folded string, offsets []int) {
	var b strings.Builder
	b.Grow(len(source))
	offsets = make([]int, 0, len(source))
	space := false
	for i := 0; i < len(source); {
		r, n := utf8.DecodeRuneInString(source[i:])
		if unicode.IsSpace(r) {
			space = true
			i += n
			continue
		}
		if space && b.Len() > 0 {
			b.WriteByte(' ')
			offsets = append(offsets, i-1)
		}
		space = false
		b.WriteString(source[i : i+n])
		for k := range n {
			offsets = append(offsets, i+k)
		}
		i += n
	}
	return b.String(), offsets
}
