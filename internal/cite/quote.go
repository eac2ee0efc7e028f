package query

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// foldSpace puts one space where there is any white space.
func foldSpace(s string) string { return strings.Join(strings.Fields(s), " ") }

// locate finds a quote in a text, whatever white space stands between its
// words, and returns its bytes there. A quote that was cut ends in "…".
func locate(text, quote string) (span, bool) {
	quote = foldSpace(strings.TrimSuffix(strings.TrimSpace(quote), "…"))
	if quote == "" {
		return span{}, false
	}
	folded, at := foldMap(text)
	i := strings.Index(folded, quote)
	if i < 0 {
		return span{}, false
	}
	return span{at[i], at[i+len(quote)-1] + 1}, true
}

// foldMap folds white space and says for every byte that is left where it stood.
func foldMap(text string) (string, []int) {
	var b strings.Builder
	b.Grow(len(text))
	at := make([]int, 0, len(text))
	space := false
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		if unicode.IsSpace(r) {
			space = true
			i += n
			continue
		}
		if space && b.Len() > 0 {
			b.WriteByte(' ')
			at = append(at, i-1)
		}
		space = false
		b.WriteString(text[i : i+n])
		for k := range n {
			at = append(at, i+k)
		}
		i += n
	}
	return b.String(), at
}
