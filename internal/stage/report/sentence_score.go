package report

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/neorag/neorag/internal/text/language"
	"github.com/neorag/neorag/internal/text/textproc"
)

// minSelfContained is the value of selfContained below which a sentence is used only if
// all sentences are below it.
const minSelfContained = .4

// score scores the sentences by their centrality, the prominence of the entities
// they are about, whether they define one, and how self-contained they are. It sorts
// them best first.
func (sel *selector) score() {
	strong := slices.DeleteFunc(slices.Clone(sel.sentences), func(s *sentence) bool { return selfContained(sel.language, s.text) < minSelfContained })
	if len(strong) > 0 {
		sel.sentences = strong
	}
	// Centrality sums floats in the order given, so that order must be canonical.
	slices.SortFunc(sel.sentences, func(a, b *sentence) int { return strings.Compare(a.text, b.text) })
	central := textproc.Centrality(sel.texts())
	top := slices.Max(append(central, 0))
	for i, s := range sel.sentences {
		centrality := 0.
		if top > 0 {
			centrality = central[i] / top
		}
		s.score = selfContained(sel.language, s.text) * (.4*centrality + .3*sel.prominence(s) + .3*sel.definition(s))
	}
	slices.SortStableFunc(sel.sentences, func(a, b *sentence) int { return cmp.Compare(b.score, a.score) })
}

// prominence returns the mean prominence, from 0 to 1, of the entities that a sentence is
// about; it falls with an entity's rank in the community. A sentence from a child's
// report has at least the prominence of the child.
func (sel *selector) prominence(s *sentence) float64 {
	sum := 0.
	for _, a := range s.about {
		if at, ok := sel.rank[a]; ok {
			sum += 1 / (1 + float64(at)/3)
		}
	}
	sum /= float64(max(1, len(s.about)))
	if s.from.child != nil {
		return max(sum, 1/(1+float64(s.from.N-1)/3))
	}
	return sum
}

// definition returns 1 for a lead sentence that begins with the name of what it is
// about, less for another sentence that does or one that has the name later on.
func (sel *selector) definition(s *sentence) float64 {
	lower := strings.ToLower(s.text)
	best := 0.
	for _, a := range s.about {
		name := strings.ToLower(sel.names[a])
		if name == "" {
			continue
		}
		switch at := strings.Index(lower, name); {
		case at >= 0 && at <= 4:
			best = max(best, .7)
			if s.lead {
				best = 1
			}
		case at > 0:
			best = max(best, .4)
		}
	}
	return best
}

// anaphoric are first words that refer to the previous sentence, by language.
var anaphoric = map[language.Language]string{
	language.English: " he she it they this these that those his her its their there then but and so or yet however which who such also " +
		"we you i additionally furthermore moreover overall despite later here otherwise therefore thus ",
	language.German: " er es dieser diese dieses diesem diesen dies dadurch damit dazu dafür dabei danach dann daher deshalb darin darauf hierdurch hierzu hierbei " +
		"hiermit hierfür außerdem ansonsten andernfalls jedoch aber und oder sondern auch so wir ich letztere letzterer letzteres ",
	language.French:     " il elle ils elles ce cet cette ces cela ceci celui celle ceux celles ainsi cependant mais et ou donc puis ensuite aussi toutefois nous vous je on ",
	language.Spanish:    " él ella ellos ellas este esta estos estas esto ese esa eso esos esas además pero y o así entonces luego también nosotros yo ",
	language.Italian:    " egli ella esso essa essi esse lui lei loro questo questa questi queste ciò inoltre ma e o quindi poi però così anche noi io ",
	language.Portuguese: " ele ela elas este esta estes estas isto isso esse essa esses essas além mas e ou assim então depois porém também nós eu ",
	language.Dutch:      " hij zij ze het dit deze dat daarom bovendien maar en of dan dus echter ook daarna hierdoor hiermee wij ik ",
	language.Swedish:    " han hon detta denna dessa därför dessutom men och eller då så också sedan vi jag ",
	language.Danish:     " han hun dette denne disse derfor desuden men og eller så da også vi jeg ",
	language.Norwegian:  " han hun dette denne disse derfor dessuten men og eller så da også vi jeg ",
	language.Russian:    " он она оно они это этот эта эти также поэтому однако но и или затем так мы я ",
}

// demonstrative are the words of anaphoric that need the previous sentence most, as it names what
// they point to.
const demonstrative = " this these that those dies dieser diese dieses diesem diesen dadurch damit hierdurch hiermit cela ceci esto eso ciò isto isso dit "

// sectionNumber matches the number of a section after a word, which refers to another part of the text.
var sectionNumber = regexp.MustCompile(`\p{Lu}\pL{4,} \d{1,2}(?:\.\d{1,2})*[,.)]?(?: [„“"]|$|\))`)

// isNumber reports whether a word consists of digits.
func isNumber(word string) bool {
	word = strings.TrimRight(word, ".")
	return word != "" && strings.Trim(word, "0123456789") == ""
}

// selfContained rates from 0 to 1 how well a sentence can be understood without its
// context.
func selfContained(l language.Language, text string) float64 {
	words := strings.Fields(text)
	q := 1.
	switch n := len(words); {
	case n < 4:
		q = .3
	case n < 6:
		q = .7
	case n > 60:
		q = .3
	case n > 45:
		q = .6
	case n > 32:
		q = .8
	}
	first := strings.ToLower(strings.TrimFunc(words[0], func(r rune) bool { return !unicode.IsLetter(r) }))
	switch word := " " + first + " "; {
	case !strings.Contains(anaphoric[cmp.Or(l, language.English)], word):
	case strings.Contains(demonstrative, word):
		q *= .3
	default:
		q *= .5
	}
	if isNumber(words[0]) || isNumber(words[len(words)-1]) && len(words[len(words)-1]) < 4 {
		q *= .3 // probably cut at the dot of a number such as "1.5"
	}
	if strings.HasPrefix(text, "The entity ") || strings.HasPrefix(text, "The text ") {
		q *= .7
	}
	if strings.HasSuffix(text, "?") || strings.HasSuffix(text, "…") || strings.HasSuffix(text, "...") {
		q *= .5 // the latter is probably cut
	}
	if strings.Count(text, "<") != strings.Count(text, ">") || strings.Count(text, "(") != strings.Count(text, ")") {
		q *= .5 // markup or code was cut
	}
	if sectionNumber.MatchString(text) {
		q *= .5
	}
	if strings.ContainsAny(text[:1], `"'(`) || strings.HasPrefix(text, "“") {
		q *= .7
	}
	return q
}
