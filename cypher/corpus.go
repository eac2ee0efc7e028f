package cypher

import (
	"regexp"
	"strings"
)

// corpusPlace is the text that the name of a corpus replaces.
const corpusPlace = "__corpus__"

var (
	// tokens are what may hold the name of a corpus: quoted names, strings and comments, and
	// the names between them.
	tokens = regexp.MustCompile("(?s)`(?:[^`]|``)*`" + `|'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|//[^\n]*|/\*.*?\*/|[\p{L}\p{N}_]+`)
	// plainName matches names that need no quotes.
	plainName = regexp.MustCompile(`^[\p{L}_][\p{L}\p{N}_]*$`)
)

// ForCorpus replaces __corpus__ in a statement by the name of a corpus, which the caller has
// checked. A label or another name that is not plain then is quoted: Entity___corpus__ becomes
// Entity_main, or `Entity_my-docs`.
func ForCorpus(text, corpus string) string {
	if plainName.MatchString(corpus) {
		return strings.ReplaceAll(text, corpusPlace, corpus)
	}
	return tokens.ReplaceAllStringFunc(text, func(token string) string {
		filled := strings.ReplaceAll(token, corpusPlace, corpus)
		if filled == token || strings.ContainsAny(token[:1], "`'\"/") || plainName.MatchString(filled) {
			return filled
		}
		return "`" + filled + "`"
	})
}
