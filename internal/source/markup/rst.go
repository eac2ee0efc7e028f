package markup

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/neorag/neorag/internal/source/parse"
)

// shortUnderline is the length of a line of marks that may be shorter than the title above it.
const shortUnderline = 4

// RstHeadings returns the headings of reStructuredText: lines with a line of marks below, or below
// and above. Their levels are the order in which the kinds of marks occur first.
func RstHeadings(text string) []parse.Heading {
	var out []parse.Heading
	var kinds []string
	above, title, start := "", "", 0
	parse.EachLine(text, func(line string, at int) {
		line = strings.TrimRight(line, " \t")
		if isAdornment(line) && title != "" && len(line) >= min(shortUnderline, utf8.RuneCountInString(title)) {
			kind := line[:1]
			if above != "" {
				kind += above[:1]
			}
			if !slices.Contains(kinds, kind) {
				kinds = append(kinds, kind)
			}
			out = append(out, parse.Heading{Level: 1 + slices.Index(kinds, kind), Title: strings.TrimSpace(title), Start: start})
			above, title = "", ""
			return
		}
		switch {
		case isAdornment(line):
			above, title = line, ""
		case line == "" || title != "" || above == "" && line[0] == ' ': // a paragraph of two lines is not a heading
			above, title = "", ""
		default:
			title, start = line, at
		}
	})
	return out
}

// isAdornment reports whether a line repeats a mark.
func isAdornment(line string) bool {
	return len(line) >= 2 && strings.ContainsAny(line[:1], "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~") && strings.Trim(line, line[:1]) == ""
}
