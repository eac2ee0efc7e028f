package cite

import (
	"github.com/neorag/neorag/internal/stage/report"
	"github.com/neorag/neorag/internal/text"
	"github.com/neorag/neorag/internal/text/sanitize"
)

// maxRounds bounds how often a text is cleaned: each round removes what the
// one before uncovered.
const maxRounds = 16

// SanitizeSource cleans the text of a source for an answer that quotes it: on
// one line, without active content, and without anything that would read as a
// citation of the answer. removed is the number of such citations.
func SanitizeSource(source string) (clean string, removed int) {
	for range maxRounds {
		next, citations := report.CheckReferences(sanitize.Strip(source), nil, &report.Numbers{})
		removed += citations
		if next == source {
			break
		}
		source = next
	}
	return sanitize.Text(text.OneLine(source)), removed
}

// SanitizeTitle cleans a title as SanitizeSource does.
func SanitizeTitle(title string) string {
	clean, _ := SanitizeSource(title)
	return clean
}
