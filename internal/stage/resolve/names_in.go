package resolve

import (
	"strings"

	"github.com/neorag/neorag/internal/text/textproc"
)

// NamesIn returns the normalised names that occur in a text as whole words, in
// their order. The text is normalised as names are.
func NamesIn(text string, normalised []string) []string {
	text = Normalise(text)
	var out []string
	for _, name := range normalised {
		if hasName(text, name) {
			out = append(out, name)
		}
	}
	return out
}

func hasName(text, name string) bool {
	for from := 0; name != ""; {
		at := strings.Index(text[from:], name)
		if at < 0 {
			return false
		}
		start := from + at
		if textproc.IsWholeWord(text, start, start+len(name)) {
			return true
		}
		from = start + 1
	}
	return false
}
