// Package glob translates file patterns into regular expressions, in the syntax
// of .gitignore: "*" and "?" match within one name, "**" across folders, "[a-z]"
// and "[!a-z]" a character of a set, and a backslash escapes the next character.
package glob

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// Expression returns the regular expression for a pattern, without anchors. Compile it
// with the flag s, because names may contain line breaks.
func Expression(pattern string) string {
	var b strings.Builder
	for i := 0; i < len(pattern); i++ {
		rest := pattern[i:]
		switch {
		case strings.HasPrefix(rest, "**/"):
			b.WriteString("(?:.*/)?")
			i += 2
		case strings.HasPrefix(rest, "**"):
			b.WriteString(".*")
			i++
		case rest[0] == '*':
			b.WriteString("[^/]*")
		case rest[0] == '?':
			b.WriteString("[^/]")
		case rest[0] == '[' && strings.IndexByte(rest, ']') > 1:
			end := strings.IndexByte(rest, ']')
			set := strings.ReplaceAll(rest[1:end], `\`, `\\`)
			if after, negated := strings.CutPrefix(set, "!"); negated {
				set = "^" + after
			}
			b.WriteString("[" + set + "]")
			i += end
		case rest[0] == '\\' && len(rest) > 1:
			b.WriteString(regexp.QuoteMeta(rest[1:2]))
			i++
		default:
			_, n := utf8.DecodeRuneInString(rest)
			b.WriteString(regexp.QuoteMeta(rest[:n]))
			i += n - 1
		}
	}
	return b.String()
}

// Compile returns an expression that matches whole names.
func Compile(pattern string) (*regexp.Regexp, error) {
	return regexp.Compile(`(?s)\A` + Expression(pattern) + `\z`)
}
