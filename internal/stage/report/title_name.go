package report

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/text/language"
	"github.com/neorag/neorag/internal/text/textproc"
)

// minNoun is the length of the shortest German common noun that a title shows, in characters: a
// shorter one is seldom a compound, and names no special thing.
const minNoun = 9

var (
	// identifier is a name that code uses: HATCH_PYTHON, COMSPEC, EnvironmentCollectorInterface.
	identifier = regexp.MustCompile(`^[A-Z][A-Z0-9]{4,}$|^[A-Z0-9]{2,}(?:[ _][A-Z0-9]+)+$|\p{Ll}\p{Lu}\p{Ll}+\p{Lu}\p{Ll}+`)
	camelCase  = regexp.MustCompile(`^\pL+\p{Ll}\p{Lu}\p{Ll}+$`)
)

// maxCamel is the length of the longest word with a capital inside that is taken for the name of a
// product, such as GitHub, and not for code.
const maxCamel = 13

// isTitleName reports whether the name of an entity of a type says in a title what it names.
func (sel *selector) isTitleName(name, entityType string) bool {
	name = displayName(name, sel.capitals)
	words := strings.Fields(name)
	n := utf8.RuneCountInString(name)
	switch {
	case len(words) == 0 || len(words) > 5 || n < 2 && sel.language.SeparatesWords():
		return false
	case codeLike.MatchString(name) || versionLike.MatchString(name) || !sel.capitals && identifier.MatchString(name) || n > maxCamel && camelCase.MatchString(name):
		return false
	case isNumber(words[len(words)-1]) || isNumber(words[0]):
		return false
	}
	for _, w := range []string{words[0], words[len(words)-1]} {
		if sel.language.IsStopWord(strings.ToLower(w)) && (len(words) == 1 || !strings.ContainsFunc(w, unicode.IsUpper) || w != "The") {
			return false
		}
	}
	if len(words) > 1 || isProper(entityType) {
		return true
	}
	const generic = textproc.GenericNoun | textproc.NumberWord | textproc.Calendar | textproc.FunctionWord
	if textproc.ClassOf(strings.ToLower(name))&generic != 0 {
		return false
	}
	plain := !strings.ContainsFunc(name[1:], unicode.IsUpper)
	return sel.language != language.German || !plain || n >= minNoun
}

// isProper reports whether the entities of a type have proper names.
func isProper(entityType string) bool {
	switch entityType {
	case "concept", graph.TypeUnknown, "":
		return false
	}
	return true
}
