package source

import (
	"slices"
	"strings"
	"unicode"
)

// marginTexts are the texts of headers and footers.
type marginTexts map[string]bool

// unseen returns those of the texts that are new, without numbers of pages.
func (m *marginTexts) unseen(texts []string) []string {
	if *m == nil {
		*m = marginTexts{}
	}
	return slices.DeleteFunc(texts, func(text string) bool {
		seen := (*m)[text]
		(*m)[text] = true
		return seen || !strings.ContainsFunc(pageWords.Replace(strings.ToLower(text)), unicode.IsLetter)
	})
}

// pageWords are the words around numbers of pages.
var pageWords = strings.NewReplacer("page", "", "of", "", "seite", "", "von", "")
