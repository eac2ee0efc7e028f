package textproc

import (
	"regexp"
	"strings"

	"github.com/neorag/neorag/internal/text"
)

// An unmarking replaces the marks that a regular expression matches. It is tried on a sentence that
// contains sign.
type unmarking struct {
	sign        string
	pattern     func() *regexp.Regexp
	replacement string
}

// unmarkings are the marks of Markdown, Org, AsciiDoc and reStructuredText in one sentence. Each
// expression matches in linear time.
var unmarkings = []unmarking{
	{"{", lazily(`\s*\{ ?(?:[:#.]|[a-z-]+=)[^{}]*\}`), ""}, // attributes
	{"![", lazily(`!\[[^\]]*\]\([^)]*\)`), ""},
	{"](", lazily(`\[([^\[\]]*)\]\([^()]*(?:\([^()]*\)[^()]*)*\)`), "$1"},
	{"][", lazily(`\[\[[^\[\]]*\]\[([^\[\]]*)\]\]`), "$1"},
	{"[[", lazily(`\[\[(?:[^\[\]|]*\|)?([^\[\]|]*)\]\]`), "$1"},
	{"][", lazily(`\[([^\[\]]+)\]\[[^\[\]]*\]`), "$1"},
	{"[^", lazily(`\[\^[^\[\]]*\]`), ""},
	{"link:", lazily(`\blink:\S+?\[([^\[\]]*)\]`), "$1"},
	{"`_", lazily("`([^`<]+?)\\s*(?:<[^`>]*>)?`_+"), "$1"},
	{":`", lazily("(?:^|\\B):[a-z:]+:`([^`]*)`"), "$1"},
	{"::", lazily(`^\.\. [a-z-]+::\s*`), ""},
	{"`", lazily("`+([^`]+)`+"), "$1"},
	{"**", lazily(`\*\*([^*]+)\*\*`), "$1"},
	{"*", lazily(`(^|[^\pL\pN*\\])\*([^\s*](?:[^*]*[^\s*])?)\*($|[^\pL\pN*])`), "$1$2$3"},
	{"=", lazily(`(^|[\s(])[=~]([^\s=~]+)[=~]($|[\s.,;:!?)])`), "$1$2$3"},
	{"[", lazily(`^\[[ xX-]\] `), ""},
	{" ", lazily(`(?m)^\s*(?:#{1,6} |(?:> ?)+|\*{1,2} )`), ""},
	{":", lazily(`(^|[\s(|_]):[a-z][a-z0-9_+-]*:`), "$1"}, // pictures, such as :bulb:
	{"|", lazily(`^\|\s*|\s*\|$`), ""},
	{"|", lazily(`\s+\|\s+`), ", "},
}

// Unmarked returns a sentence as it is shown in an answer: on one line, without the marks of emphasis,
// links, code, quotes, headings, tables and pictures.
func Unmarked(sentence string) string {
	if strings.ContainsAny(sentence, "*`[|>#=:{") {
		for _, u := range unmarkings {
			if strings.Contains(sentence, u.sign) {
				sentence = u.pattern().ReplaceAllString(sentence, u.replacement)
			}
		}
	}
	return text.OneLine(sentence)
}
