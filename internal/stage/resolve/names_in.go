package resolve

import (
	"github.com/neorag/neorag/internal/text/textproc"
)

// NamesIn returns the normalised names that occur in a text as whole words, in
// their order. The text is normalised as names are.
func NamesIn(text string, normalised []string) []string {
	text = Normalise(text)
	var out []string
	for _, name := range normalised {
		if textproc.ContainsWords(text, name) {
			out = append(out, name)
		}
	}
	return out
}
