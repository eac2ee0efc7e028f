// Package sanitize removes from untrusted text what a terminal, a browser or a Markdown
// viewer would execute, load or follow. Documents and models are untrusted: both can
// carry terminal sequences, images that call a server, and links that hide their target.
package sanitize

import (
	"regexp"
	"strings"
	"sync"
)

// Brackets hold no brackets in these patterns, so the inner one of nested forms goes first.
var (
	// terminalEscape is a terminal control sequence of ECMA-48.
	terminalEscape = regexp.MustCompile(`\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)|[ -/]*[0-~])|\x{9b}[0-?]*[ -/]*[@-~]`)
	markdownImage  = regexp.MustCompile(`!\[([^\[\]]*)\](?:` + linkTarget + `|\[[^\[\]]*\])?`)
	markdownLink   = regexp.MustCompile(`\[([^\[\]]*)\]` + linkTarget)
	autolink       = regexp.MustCompile(`<((?:https?|ftp|mailto|file|data|javascript):[^<>\s]*)>`)
	openTag        = regexp.MustCompile(`<([A-Za-z/!?])`)
	// definition is the end of the label of a link definition. A label of digits is one only
	// at the beginning of a line: elsewhere it is a citation before a colon.
	definition = regexp.MustCompile(`(?m)(^[\s>*+\-\d.)]*\[\d+\]|(?:^|[^\d])\]|[^\[\d]\d+\]|^\d+\]):`)
	htmlTag    = regexp.MustCompile(`</?[A-Za-z][^<>]*>|<!--[^>]*-*>|<![A-Za-z][^<>]*>`)
	// citation is the content of brackets that cite something, not the text of a link.
	citation = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)^\s*(?:\^?\s*data\s*:|[\d\s,;.]*$)`) })
)

const linkTarget = `\([^()]*(?:\([^()]*\)[^()]*)*\)`

// maxRounds bounds how often a text is cleaned: each round removes what the
// one before uncovered.
const maxRounds = 16

// Text removes terminal sequences, control characters, characters that reorder
// text, images, the targets of links, and HTML tags. Citations such as [1] and
// [Data: Sources (1)] stay. A space separates the characters of what begins or ends an
// image, a link or a tag but is none, so that texts can be joined at spaces and line
// breaks: nothing active comes of it.
func Text(text string) string {
	text = Strip(text)
	text = openTag.ReplaceAllString(text, "< $1")
	text = strings.ReplaceAll(strings.ReplaceAll(text, "](", "] ("), "![", "! [")
	return definition.ReplaceAllString(text, "$1 :")
}

// Strip removes what Text removes and changes nothing else, for a text from which more
// will be removed before Text is called: that may complete an image, a link or a tag.
func Strip(text string) string {
	for range maxRounds {
		next := terminalEscape.ReplaceAllString(text, "")
		next = strings.Map(printable, next)
		next = markdownImage.ReplaceAllStringFunc(next, unimage)
		next = markdownLink.ReplaceAllStringFunc(next, unlink)
		next = htmlTag.ReplaceAllString(autolink.ReplaceAllString(next, "$1"), "")
		if next == text {
			break
		}
		text = next
	}
	return text
}

// unimage removes the target of an image. Brackets that are a citation stay.
func unimage(image string) string {
	inner := markdownImage.FindStringSubmatch(image)[1]
	if citation().MatchString(inner) {
		return "! [" + inner + "]"
	}
	return inner
}

// unlink removes the target of a link. Brackets that are a citation stay.
func unlink(link string) string {
	inner := markdownLink.FindStringSubmatch(link)[1]
	if citation().MatchString(inner) {
		return "[" + inner + "]"
	}
	return inner
}
