package query

import (
	"regexp"
	"strings"
	"sync"

	"github.com/neorag/neorag/internal/report"
)

// Forms that a document or a model may smuggle into an answer. Inside brackets
// stands no bracket, so that of nested ones the inner goes first.
var (
	// terminalEscape is a sequence that drives a terminal, as ECMA-48 has them.
	terminalEscape = regexp.MustCompile(`\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)|[ -/]*[0-~])|\x{9b}[0-?]*[ -/]*[@-~]`)
	markdownImage  = regexp.MustCompile(`!\[([^\[\]]*)\](?:` + linkTarget + `|\[[^\[\]]*\])?`)
	markdownLink   = regexp.MustCompile(`\[([^\[\]]*)\]` + linkTarget)
	autolink       = regexp.MustCompile(`<((?:https?|ftp|mailto|file|data|javascript):[^<>\s]*)>`)
	openTag        = regexp.MustCompile(`<([/!]?[A-Za-z])`)
	htmlTag        = regexp.MustCompile(`</?[A-Za-z][^<>]*>|<!--[^>]*-*>|<![A-Za-z][^<>]*>`)
	keptBracket    = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)^\s*(?:\^?\s*data\s*:|[\d\s,;]*$)`) })
)

const linkTarget = `\([^()]*(?:\([^()]*\)[^()]*)*\)`

// cleanRounds bounds how often a text is cleaned: each round removes what the
// one before laid open.
const cleanRounds = 16

// harmless takes out of a text what would act where it is shown: terminal
// sequences, control and reordering characters, images, the targets of links,
// and HTML tags. References stay.
func harmless(text string) string {
	for range cleanRounds {
		next := terminalEscape.ReplaceAllString(text, "")
		next = strings.Map(printable, next)
		next = markdownImage.ReplaceAllString(next, "$1")
		next = markdownLink.ReplaceAllStringFunc(next, unlinked)
		next = htmlTag.ReplaceAllString(autolink.ReplaceAllString(next, "$1"), "")
		if next == text {
			break
		}
		text = next
	}
	return openTag.ReplaceAllString(text, "< $1") // one that is never closed
}

// titled is a title as an answer may show it.
func titled(text string) string {
	title, _ := ownWords(text)
	return title
}

// unlinked is a link without its target. Brackets that are a reference stay.
func unlinked(link string) string {
	inner := markdownLink.FindStringSubmatch(link)[1]
	if keptBracket().MatchString(inner) {
		return "[" + inner + "]"
	}
	return inner
}

// printable drops control characters and those that turn the direction of text.
func printable(r rune) rune {
	switch {
	case r == '\n' || r == '\t':
		return r
	case r < 0x20, r >= 0x7f && r < 0xa0, r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069, r == 0xfeff, r == 0x200e, r == 0x200f:
		return -1
	}
	return r
}

// ownWords is the text of a source as an answer may quote it: harmless, and
// without what would read as a reference of ours. It counts those.
func ownWords(text string) (clean string, removed int) {
	for range cleanRounds {
		next, bad := report.CheckReferences(harmless(text), nil, &report.Numbers{})
		removed += bad
		if next == text {
			break
		}
		text = next
	}
	return foldSpace(text), removed
}
