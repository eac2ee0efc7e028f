package report

import (
	"github.com/neorag/neorag/internal/text/language"
)

// join joins names in the language of the sentences and begins with a capital.
func (sel *selector) join(names []string) string { return upperFirst(sel.joinPlain(names)) }

// joinPlain joins names in the language of the sentences.
func (sel *selector) joinPlain(names []string) string {
	if len(names) > 1 && sel.isEnglish() {
		return joinEnglish(names)
	}
	return sel.language.Join(names)
}

// isEnglish reports whether the sentences are in English, or in no known language.
func (sel *selector) isEnglish() bool {
	return sel.language == language.English || sel.language == language.Unknown
}
