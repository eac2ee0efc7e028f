package sanitize

import (
	"regexp"
	"strings"
	"unicode"
)

// formulaStarts are the characters with which a spreadsheet lets a formula start, also in
// their wide and small forms.
const formulaStarts = "=+-@＝＋－＠﹦﹢﹣﹫"

var plainNumber = regexp.MustCompile(`^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$`)

// Cell returns a text as a cell of a table that a spreadsheet shows and does not run: an
// apostrophe precedes one that starts as a formula does, also after white space and
// invisible characters, and one that starts with a tab or a carriage return. Plain numbers
// stay as they are.
func Cell(text string) string {
	seen := strings.TrimLeftFunc(text, func(r rune) bool { return unicode.IsSpace(r) || IsControl(r) || unicode.Is(unicode.Cf, r) })
	isFormula := strings.IndexAny(seen, formulaStarts) == 0 || strings.HasPrefix(text, "\t") || strings.HasPrefix(text, "\r")
	if !isFormula || plainNumber.MatchString(text) {
		return text
	}
	return "'" + text
}
