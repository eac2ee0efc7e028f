package textproc

import (
	"regexp"
	"strings"
	"sync"

	"github.com/neorag/neorag/internal/text"
)

// An unmarking replaces the marks that a regular expression matches. It is tried on a sentence that
// contains sign.
type unmarking struct {
	sign, pattern, replacement string
}

// unmarkings are the marks of Markdown, Org, AsciiDoc and reStructuredText in one sentence. Each
// expression matches in linear time.
var unmarkings = sync.OnceValue(func() []compiledUnmarking {
	var out []compiledUnmarking
	for _, u := range []unmarking{
		{"![", `!\[[^\]]*\]\([^)]*\)`, ""},
		{"](", `\[([^\[\]]*)\]\([^()]*(?:\([^()]*\)[^()]*)*\)`, "$1"},
		{"][", `\[\[[^\[\]]*\]\[([^\[\]]*)\]\]`, "$1"},
		{"[[", `\[\[(?:[^\[\]|]*\|)?([^\[\]|]*)\]\]`, "$1"},
		{"][", `\[([^\[\]]+)\]\[[^\[\]]*\]`, "$1"},
		{"[^", `\[\^[^\[\]]*\]`, ""},
		{"link:", `\blink:\S+?\[([^\[\]]*)\]`, "$1"},
		{"`_", "`([^`<]+?)\\s*(?:<[^`>]*>)?`_+", "$1"},
		{":`", "(?:^|\\B):[a-z:]+:`([^`]*)`", "$1"},
		{"::", `^\.\. [a-z-]+::\s*`, ""},
		{"`", "`+([^`]+)`+", "$1"},
		{"**", `\*\*([^*]+)\*\*`, "$1"},
		{"*", `(^|[^\pL\pN*\\])\*([^\s*](?:[^*]*[^\s*])?)\*($|[^\pL\pN*])`, "$1$2$3"},
		{"=", `(^|[\s(])[=~]([^\s=~]+)[=~]($|[\s.,;:!?)])`, "$1$2$3"},
		{"[", `^\[[ xX-]\] `, ""},
		{" ", `(?m)^\s*(?:#{1,6} |(?:> ?)+|\*{1,2} )`, ""},
		{"|", `^\|\s*|\s*\|$`, ""},
		{"|", `\s+\|\s+`, ", "},
	} {
		out = append(out, compiledUnmarking{u, regexp.MustCompile(u.pattern)})
	}
	return out
})

type compiledUnmarking struct {
	unmarking

	matches *regexp.Regexp
}

// Unmarked returns a sentence as it is shown in an answer: on one line, without the marks of emphasis,
// links, code, quotes, headings and tables.
func Unmarked(sentence string) string {
	if strings.ContainsAny(sentence, "*`[|>#=:") {
		for _, u := range unmarkings() {
			if strings.Contains(sentence, u.sign) {
				sentence = u.matches.ReplaceAllString(sentence, u.replacement)
			}
		}
	}
	return text.OneLine(sentence)
}
