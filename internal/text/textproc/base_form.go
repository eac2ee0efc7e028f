package textproc

import (
	"cmp"
	"strings"

	"github.com/neorag/neorag/internal/text/language"
)

// asciiWords match the words of a text that may be irregular forms of English.
var asciiWords = lazily(`[A-Za-z]+`)

// WithBaseForms returns a text with irregular forms of English verbs replaced by their base forms: led
// becomes lead, and found becomes find, but founded stays. Full-text search does not do this.
func WithBaseForms(l language.Language, text string) string {
	return asciiWords().ReplaceAllStringFunc(text, func(word string) string {
		return cmp.Or(l.BaseForm(strings.ToLower(word)), word)
	})
}
