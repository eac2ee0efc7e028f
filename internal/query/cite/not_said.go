package cite

import (
	"regexp"
	"strings"
	"sync"
)

// deniesSaying matches sentences on what the records do not say. Each pattern needs a word for the
// records, or a passive verb of saying: "Scrooge did not say a word" is a statement on Scrooge.
var deniesSaying = sync.OnceValue(func() []*regexp.Regexp {
	const (
		records   = `(?:records?|sources?|texts?|documents?|reports?|points|collection|context|passages?|excerpts?|materials?)`
		say       = `(?:says?|said|states?|stated|mentions?|mentioned|describes?|described|answers?|answered|specif(?:y|ies|ied)|contains?|provides?|gives?|discuss(?:es|ed)?|covers?|address(?:es|ed)?|indicates?|explains?|explained|tells?|names?|includes?|information)`
		belege    = `(?:quellen?|texte?|dokumente?|berichte?|unterlagen|datensätzen?|abschnitte?|auszügen?|aufzeichnungen)`
		sagen     = `(?:sag\pL*|nenn\pL*|erwähn\pL*|beantwort\pL*|enthalten|enthält|geben|gibt|beschreib\pL*|steht|stehen)`
		fuentes   = `(?:fuentes?|textos?|documentos?|informes?|registros?)`
		documents = `(?:sources?|textes?|documents?|rapports?|extraits?)`
	)
	var out []*regexp.Regexp
	for _, pattern := range []string{
		records + ` (?:\pL+ ){0,3}(?:(?:do|does|did|is|are|has|have) not|(?:do|does|did)n['’]t|cannot|never) (?:\pL+ )?` + say,
		records + ` (?:\pL+ ){0,2}(?:says?|contains?|gives?|provides?|offers?|mentions?) (?:nothing|no)`,
		`(?:no|none of the|neither of the|nothing in the|nowhere in the) (?:\pL+ ){0,2}(?:` + records + `|information|mention|details)`,
		`(?:is|are|was|were|been)(?: not|n['’]t| never| nowhere) (?:\pL+ly )?(?:said|stated|mentioned|specified|described|discussed|addressed|answered|explained)`,
		`nothing (?:is|was|has been) (?:said|stated|mentioned|written)`,
		`can(?:not| not|['’]t) be (?:answered|determined|said)`,
		belege + ` (?:\pL+ ){0,4}` + sagen + `[^.]* (?:nicht|nichts|keine?[nrs]?)`,
		`(?:nicht|nichts|nirgends) (?:\pL+ ){0,2}(?:gesagt|erwähnt|genannt|angegeben|beschrieben|beantwortet|beantworten)`,
		`(?:keine|keinerlei) (?:\pL+ )?(?:angaben?|informationen|auskunft|hinweise)`,
		fuentes + ` no (?:\pL+ )?(?:dicen?|mencionan?|indican?|contienen?|responden?|especifican?|explican?)`,
		`no se (?:dice|menciona|indica|especifica|explica|describe)`,
		documents + ` (?:ne|n['’]) ?(?:\pL+ )?(?:disent|dit|mentionnent|mentionne|indiquent|indique|précisent|précise|contiennent|contient|répondent|répond)`,
		`(?:n['’]est|ne sont) (?:pas|jamais) (?:dite?s?|mentionnée?s?|indiquée?s?|précisée?s?|décrite?s?)`,
	} {
		out = append(out, regexp.MustCompile(`(?:^|[^\pL])(?:`+pattern+`)(?:$|[^\pL])`))
	}
	return out
})

// isNotSaid reports whether a sentence is on something that is not said, which needs no reference.
func isNotSaid(sentence string) bool {
	sentence = strings.ToLower(sentence)
	for _, pattern := range deniesSaying() {
		if pattern.MatchString(sentence) {
			return true
		}
	}
	return false
}
