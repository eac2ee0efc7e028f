// Package sanitize removes from untrusted text what a terminal, a browser or a Markdown
// viewer would execute, load or follow. Documents and models are untrusted: both can
// carry terminal sequences, images that call a server, and links that hide their target.
package sanitize

import (
	"regexp"
	"strings"
	"sync"
)

// Brackets hold no brackets in these patterns, so that of nested forms the inner goes first.
var (
	// terminalEscape is a terminal control sequence of ECMA-48.
	terminalEscape = regexp.MustCompile(`\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)|[ -/]*[0-~])|\x{9b}[0-?]*[ -/]*[@-~]`)
	markdownImage  = regexp.MustCompile(`!\[([^\[\]]*)\](?:` + linkTarget + `|\[[^\[\]]*\])?`)
	markdownLink   = regexp.MustCompile(`\[([^\[\]]*)\]` + linkTarget)
	autolink       = regexp.MustCompile(`<((?:https?|ftp|mailto|file|data|javascript):[^<>\s]*)>`)
	openTag        = regexp.MustCompile(`<([/!]?[A-Za-z])`)
	htmlTag        = regexp.MustCompile(`</?[A-Za-z][^<>]*>|<!--[^>]*-*>|<![A-Za-z][^<>]*>`)
	// citation is the content of brackets that cite something, not the text of a link.
	citation = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)^\s*(?:\^?\s*data\s*:|[\d\s,;]*$)`) })
)

const linkTarget = `\([^()]*(?:\([^()]*\)[^()]*)*\)`

// maxRounds bounds how often a text is cleaned: each round removes what the
// one before uncovered.
const maxRounds = 16

// Text removes terminal sequences, control characters, characters that reorder
// text, images, the targets of links, and HTML tags. Citations such as [1] and
// [Data: Sources (1)] stay.
func Text(text string) string {
	for range maxRounds {
		next := terminalEscape.ReplaceAllString(text, "")
		next = strings.Map(printable, next)
		next = markdownImage.ReplaceAllString(next, "$1")
		next = markdownLink.ReplaceAllStringFunc(next, unlink)
		next = htmlTag.ReplaceAllString(autolink.ReplaceAllString(next, "$1"), "")
		if next == text {
			break
		}
		text = next
	}
	return openTag.ReplaceAllString(text, "< $1") // a tag that is never closed
}

// unlink removes the target of a link. Brackets that are a citation stay.
func unlink(link string) string {
	inner := markdownLink.FindStringSubmatch(link)[1]
	if citation().MatchString(inner) {
		return "[" + inner + "]"
	}
	return inner
}

// printable drops control characters and those that change the direction of text.
func printable(r rune) rune {
	switch {
	case r == '\n' || r == '\t':
		return r
	case r < 0x20, r >= 0x7f && r < 0xa0, r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069, r == 0xfeff, r == 0x200e, r == 0x200f:
		return -1
	}
	return r
}
