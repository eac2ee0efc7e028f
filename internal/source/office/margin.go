package office

import (
	"slices"
	"strings"
	"unicode"
)

// Margins are the texts of headers and footers.
type Margins map[string]bool

// Unseen returns the texts that are new, without numbers of pages.
func (m *Margins) Unseen(texts []string) []string {
	if *m == nil {
		*m = Margins{}
	}
	return slices.DeleteFunc(texts, func(text string) bool {
		seen := (*m)[text]
		(*m)[text] = true
		return seen || !strings.ContainsFunc(pageWords.Replace(strings.ToLower(text)), unicode.IsLetter)
	})
}

// pageWords are the words around numbers of pages.
var pageWords = strings.NewReplacer("page", "", "of", "", "seite", "", "von", "")
