package textproc

import (
	"regexp"
	"strings"

	"github.com/neorag/neorag/internal/text/language"
)

// A definitionPattern finds definitions in a language.
type definitionPattern struct {
	asked   func() *regexp.Regexp // questions; the first group that matches is what they ask to define
	article func() *regexp.Regexp // before the thing that a sentence defines
	verb    func() *regexp.Regexp // between the thing and what the sentence says of it
}

// definitionPatternOf makes the patterns of a language, in which case does not count.
func definitionPatternOf(asked, article, verb string) definitionPattern {
	return definitionPattern{
		lazily(`(?i)^[^\pL\pN]*(?:` + asked + `)[^\pL\pN]*$`),
		lazily(`(?i)^(?:` + article + `)\s+`),
		lazily(`(?i)^(?:\s*\([^)]*\)|\s*,[^,.]{0,60},)?\s*(?:[:–—=]|-\s|(?:` + verb + `))`),
	}
}

var definitionPatterns = map[language.Language]definitionPattern{
	language.English: definitionPatternOf(
		`(?:so |and )?(?:what|who)(?:['’]?s| is| are| was| were| exactly is) (?:meant by |the meaning of |the definition of )?(?:(?:an?|the) )?(.+?)(?: all about| exactly| used for| for| good for)?|what do(?:es)? (?:(?:an?|the) )?(.+?) (?:mean|stand +for|do|refer to)|(?:please )?(?:define|explain|describe|definition of|meaning of|tell me about) (?:what )?(?:(?:an?|the) )?(.+?)(?: is| are)?`,
		`an?|the|this|each|every|in [\pL ]{1,40}, an?|in [\pL ]{1,40}, the`, `(?:is|are|was|were|means?|refers?|stands?|denotes?|describes?|represents?|consists?|provides?|can be)(?:\PL|$)`),
	language.German: definitionPatternOf(
		`was (?:ist|sind|war|waren|heißt|heisst|bedeutet|bedeuten|meint|bezeichnet|macht|tut)(?: eigentlich| genau| denn)? (?:(?:eine?[nmrs]?|de[rnms]|die|das) )?(.+?)(?: eigentlich| genau)?|was (?:versteht man|verstehen wir) (?:genau )?unter (?:(?:eine?[nmrs]?|de[rnms]|die|das) )?(.+?)|(?:wofür|wozu) (?:steht|dient) (?:(?:eine?[nmrs]?|de[rnms]|die|das) )?(.+?)|wer (?:ist|war|sind|waren) (.+?)|(?:erkläre?|definiere) (?:mir )?(?:(?:eine?[nmrs]?|de[rnms]|die|das) )?(.+?)`,
		`eine?[nmrs]?|der|die|das|dem|den|des|unter|als|jede[rs]?`, `(?:ist|sind|war|waren|bedeutet|bedeuten|heißt|bezeichnet|bezeichnen|steht|versteht man|beschreibt|dient|stellt|wird|werden)(?:\PL|$)`),
	language.French: definitionPatternOf(
		`qu['’]est[- ]ce qu(?:e|['’]) ?(?:c['’]est que )?(?:(?:une?|les?|la|des) |l['’])?(.+?)|qu(?:e|oi) (?:signifie|veut dire|désigne) (?:(?:une?|les?|la) |l['’])?(.+?)|c['’]est quoi (?:(?:une?|les?|la) |l['’])?(.+?)|que (?:sont) (?:les |des )?(.+?)|qui (?:est|sont|était) (.+?)`,
		`une?|les?|la|des|chaque`, `(?:est|sont|était|étaient|désigne|désignent|signifie|représente)(?:\PL|$)`),
	language.Spanish: definitionPatternOf(
		`¿?qu[eé] (?:es|son|era|significa|quiere decir) (?:(?:una?|el|la|los|las) )?(.+?)|¿?qui[eé]n(?:es)? (?:es|son|era) (.+?)`,
		`una?|el|la|los|las|cada`, `(?:es|son|era|eran|significa|consiste|designa)(?:\PL|$)`),
	language.Italian: definitionPatternOf(
		`(?:che )?cos(?:['’] ?| )?a?[eè]['’]? (?:(?:una?|uno|il|lo|la|i|gli|le) |un['’]|l['’])?(.+?)|(?:che )?cosa (?:è|sono|significa|vuol dire) (?:(?:una?|uno|il|lo|la|i|gli|le) |un['’]|l['’])?(.+?)|che cos['’]è (?:(?:una?|uno|il|lo|la) |un['’]|l['’])?(.+?)|chi (?:è|era|sono) (.+?)`,
		`una?|uno|il|lo|la|i|gli|le|ogni`, `(?:è|sono|era|significa|indica|consiste)(?:\PL|$)`),
	language.Portuguese: definitionPatternOf(
		`(?:o )?qu[eê] (?:é|são|era|significa|quer dizer) (?:(?:uma?|o|a|os|as) )?(.+?)|quem (?:é|era|são) (.+?)`,
		`uma?|o|a|os|as|cada`, `(?:é|são|era|eram|significa|consiste|designa)(?:\PL|$)`),
	language.Dutch: definitionPatternOf(
		`wat (?:is|zijn|was|betekent|betekenen|doet)(?: eigenlijk| precies)? (?:(?:een|de|het) )?(.+?)|wie (?:is|was|zijn) (.+?)`,
		`een|de|het|elke?`, `(?:is|zijn|was|waren|betekent|staat|omvat)(?:\PL|$)`),
	language.Swedish: definitionPatternOf(
		`vad (?:är|betyder|menas med|innebär|gör) (?:(?:en|ett|den|det|de) )?(.+?)|vem (?:är|var) (.+?)`,
		`en|ett|den|det|de|varje`, `(?:är|var|betyder|innebär|kallas)(?:\PL|$)`),
	language.Danish: definitionPatternOf(
		`hvad (?:er|betyder) (?:(?:en|et|den|det|de) )?(.+?)|hvem (?:er|var) (.+?)`,
		`en|et|den|det|de|hver`, `(?:er|var|betyder)(?:\PL|$)`),
	language.Norwegian: definitionPatternOf(
		`hva (?:er|betyr) (?:(?:en|et|ei|den|det|de) )?(.+?)|hvem (?:er|var) (.+?)`,
		`en|et|ei|den|det|de|hver`, `(?:er|var|betyr)(?:\PL|$)`),
	language.Russian: definitionPatternOf(
		`что (?:такое|означает|значит|представляет собой|это) (.+?)|кто (?:такой|такая|такие|это) (.+?)`,
		`этот|эта|это|каждый|каждая`, `(?:это|является|означает|был|была|есть|называется)(?:\PL|$)`),
	language.Chinese: definitionPatternOf(
		`(?:什么是|什麼是|何谓|何為)(.+?)|(.+?)(?:是什么|是什麼|是指什么|指的是什么|是谁|是誰|是什么意思)`,
		`一个|一种`, `是|指|即|：`),
	language.Japanese: definitionPatternOf(
		`(.+?)(?:とは何ですか|とは何か|とは何|は何ですか|って何|とは|とはどういう意味ですか|は誰ですか)`,
		`この|その`, `とは|は|：`),
	language.Arabic: definitionPatternOf(
		`ما (?:هو|هي|معنى) (.+?)|من (?:هو|هي) (.+?)`,
		`هذا|هذه`, `(?:هو|هي|يعني|تعني)(?:\PL|$)`),
	language.Greek: definitionPatternOf(
		`τι (?:είναι|σημαίνει) (?:(?:ο|η|το|οι|τα|ένας|μια|μία|ένα) )?(.+?)|ποι(?:ος|α) (?:είναι|ήταν) (?:(?:ο|η) )?(.+?)`,
		`ο|η|το|οι|τα|ένας|μια|μία|ένα`, `(?:είναι|ήταν|σημαίνει|ονομάζεται)(?:\PL|$)`),
	language.Hebrew: definitionPatternOf(
		`(?:מהו|מהי|מה זה|מה היא|מה הוא) (.+?)|(?:מיהו|מיהי|מי הוא|מי היא) (.+?)`,
		`כל`, `(?:הוא|היא|הם|פירושו)(?:\PL|$)`),
	language.Hindi: definitionPatternOf(
		`(.+?) (?:क्या|कौन) (?:है|हैं|था|थी)|(.+?) का मतलब क्या है`,
		`एक|यह`, `(?:का मतलब|वह|एक)(?:\PL|$)`),
	language.Korean: definitionPatternOf(
		`(.+?)(?:이란|란|은|는|이|가) (?:무엇입니까|무엇인가요|무엇이에요|뭐예요|누구입니까|누구인가요)`,
		`이|그`, `(?:이란|란|은|는)(?:\PL|$)`),
	language.Thai: definitionPatternOf(
		`(.+?)(?:คืออะไร|หมายถึงอะไร|คือใคร)`,
		`คำว่า`, `คือ|หมายถึง`),
}

// maxDefined is the most words of what a question asks to define.
const maxDefined = 6

// definitionAsked returns what a question of a language asks to define, without its article: "berth" in
// "What is a berth?"; "" for another question.
func definitionAsked(l language.Language, question string) string {
	p, known := definitionPatterns[l]
	if !known {
		return ""
	}
	m := p.asked().FindStringSubmatch(strings.TrimSpace(question))
	for _, group := range m[min(1, len(m)):] {
		if group = strings.Trim(group, " \"'“”„«»?.!`"); group != "" && len(strings.Fields(group)) <= maxDefined {
			return group
		}
	}
	return ""
}

// How a sentence defines a thing.
const (
	Mentions   = 0. // at most
	BeginsWith = .5 // it begins with the thing, and continues
	Introduces = .6 // it calls something by this name
	Says       = 1. // it says what the thing is
)

// DefinitionGrade returns how much a sentence defines a thing, from 0 to 1.
func DefinitionGrade(l language.Language, sentence, thing string) float64 {
	p, known := definitionPatterns[l]
	if !known {
		p = definitionPatterns[language.English]
	}
	rest := strings.TrimLeft(sentence, " \t*_`\"'“„«-•")
	if at := p.article().FindStringIndex(rest); at != nil {
		rest = rest[at[1]:]
	}
	after, begins := cutThing(l, strings.TrimLeft(rest, "*_`\"'“„«"), thing)
	switch {
	case begins && p.verb().MatchString(after):
		return Says
	case begins && strings.TrimSpace(after) != "" && !strings.ContainsAny(after[:1], "'’"):
		return BeginsWith
	case introduces(sentence, thing):
		return Introduces
	}
	return Mentions
}

// cutThing returns what follows a thing with which a text begins, in any of its forms.
func cutThing(l language.Language, text, thing string) (after string, found bool) {
	if !l.SeparatesWords() {
		return strings.CutPrefix(text, thing)
	}
	want := TermsIn(l, thing)
	if len(want) == 0 { // only stop words, as in ALL
		n := min(len(thing), len(text))
		return text[n:], strings.EqualFold(text[:n], thing)
	}
	end, n := 0, 0
	scanTerms(l, text[:min(len(text), len(thing)+maxTerm)], func(term string, start, stop int) {
		if n >= 0 && n < len(want) && term == want[n] && strings.Count(text[end:start], " ") <= 1+n {
			n, end = n+1, stop
		} else if n < len(want) {
			n = -1
		}
	})
	if n != len(want) {
		return "", false
	}
	return strings.TrimLeft(text[end:], "*_`\"'”“»"), true
}

// introduces reports whether a sentence gives something a name: "called X", "X (ABC)", "(ABC)".
func introduces(sentence, thing string) bool {
	before, rest, found := strings.Cut(strings.ToLower(sentence), strings.ToLower(thing))
	if !found {
		return false
	}
	before = strings.TrimRight(before, " *_`\"'“„«")
	for _, word := range []string{"called", "named", "known as", "termed", "genannt", "namens", "appelé", "appelée", "llamado", "llamada", "chiamato", "chiamata", "kallas"} {
		if strings.HasSuffix(before, word) || strings.HasSuffix(before, word+" a") || strings.HasSuffix(before, word+" the") {
			return true
		}
	}
	return strings.HasSuffix(before, "(") && strings.HasPrefix(rest, ")") || strings.HasPrefix(rest, " (")
}

// SameTerms reports whether two texts have the same terms, and any.
func SameTerms(l language.Language, a, b string) bool {
	x, y := TermSetIn(l, a), TermSetIn(l, b)
	return len(x) > 0 && len(x) == len(y) && x.Shared(y) == len(x)
}

// properties match the words between a property and what has it.
var properties = lazily(`(?i)(\pL) (?:of|von|vom|der|des|du|de|del|della|di|van|av|af|του|της|των|של) \pL`)

// owners match what has a property, in languages that name it first.
var owners = lazily(`^.*\pL(?:의 |的|の| (?:का|की|के) )`)

// propertyOf returns the property that a question asks for if what it asks to define is one of something:
// "address" for "address of Anna"; "" otherwise.
func propertyOf(thing string) string {
	if at := properties().FindStringSubmatchIndex(thing); at != nil {
		return thing[:at[3]]
	}
	if at := owners().FindStringIndex(thing); at != nil {
		return thing[at[1]:]
	}
	return ""
}
