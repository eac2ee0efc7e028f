package textproc

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/neorag/neorag/internal/text/language"
)

// An Ask is the kind of answer that a question asks for.
type Ask string

// The kinds that are recognised. The empty Ask is any other.
const (
	AskTime    Ask = "time"
	AskNumber  Ask = "number"
	AskPerson  Ask = "person"
	AskVersion Ask = "version"
	AskMeasure Ask = "measure" // how long, how high
)

// asks are the kinds in the order of askPatterns.
var asks = []Ask{AskTime, AskNumber, AskPerson}

// askPatterns find in a question of a language what it asks for, the first that matches.
var askPatterns = map[language.Language][]func() *regexp.Regexp{
	language.Arabic: {
		lazily(`متى`),
		lazily(`(?:^|\s)كم\s`),
		lazily(`^من\s|\sمن (?:هو|هي|هم)\s`),
	},
	language.Chinese: {
		lazily(`什么时候|什麼時候|何时|何時|哪[年天]`),
		lazily(`多少|[几幾][个個]`),
		lazily(`[谁誰]`),
	},
	language.Danish: {
		lazily(`(?i)\bhvornår\b`),
		lazily(`(?i)\bhvor (?:mange|meget|gammel|høj|lang|stor)`),
		lazily(`(?i)\bhvem\b`),
	},
	language.Dutch: {
		lazily(`(?i)\bwanneer\b|\bwelk(?:e)? (?:jaar|dag|datum)`),
		lazily(`(?i)\bhoe ?(?:veel|oud|lang|hoog|groot|vaak)`),
		lazily(`(?i)^wie\b`),
	},
	language.English: {
		lazily(`(?i)\b(?:when|(?:what|which) (?:time|day|days|date|month|year))\b`),
		lazily(`(?i)\bhow (?:many|much|long|old|far|often|big|tall|wide|high|deep)\b|\bwhat (?:age|number|percentage|price|size)\b`),
		lazily(`(?i)\bwho(?:m|se)?\b`),
	},
	language.French: {
		lazily(`(?i)\bquand\b|\bquel(?:le)? (?:jour|date|année|heure)`),
		lazily(`(?i)\bcombien\b`),
		lazily(`(?i)(?:^|^à |^de |^avec |^par )qui\b`),
	},
	language.German: {
		lazily(`(?i)\bwann\b|\b(?:welche[mnrs]?) (?:tag|datum|monat|jahr|uhrzeit)`),
		lazily(`(?i)\bwie ?(?:viele?|alt|lange?|oft|weit|gro|hoch)`),
		lazily(`(?i)\b(?:wer|wen|wem|wessen)\b`),
	},
	language.Greek: {
		lazily(`(?i)^πότε(?:\PL|$)`),
		lazily(`(?i)^πόσ(?:οι|ες|α|ο|η|ος|ους)(?:\PL|$)`),
		lazily(`(?i)^(?:ποι(?:ος|οι|ον|α)|με ποιον)(?:\PL|$)`),
	},
	language.Hebrew: {
		lazily(`^מתי(?:\PL|$)`),
		lazily(`^כמה(?:\PL|$)`),
		lazily(`^(?:מי|של מי|עם מי)(?:\PL|$)`),
	},
	language.Hindi: {
		lazily(`(?:^|\s)कब(?:\s|$)`),
		lazily(`(?:^|\s)कितन[ाीे](?:\s|$)`),
		lazily(`(?:^|\s)(?:कौन|किसने|किसको|किसके)(?:\s|$)`),
	},
	language.Italian: {
		lazily(`(?i)\bquando\b|\b(?:in )?(?:che|quale) (?:anno|giorno|data)`),
		lazily(`(?i)\bquant[oaie]\b`),
		lazily(`(?i)^(?:a |di |con |da )?chi\b`),
	},
	language.Japanese: {
		lazily(`いつ|何[年月日時]`),
		lazily(`いくつ|いくら|何[個人冊本枚台回件段階匹頭軒羽着杯歳才名点種]|どのくらい`),
		lazily(`誰|だれ`),
	},
	language.Korean: {
		lazily(`언제|몇 [년월일시]`),
		lazily(`몇|얼마`),
		lazily(`누[가구]`),
	},
	language.Norwegian: {
		lazily(`(?i)\bnår\b`),
		lazily(`(?i)\bhvor (?:mange|mye|gammel|høy|lang|stor)`),
		lazily(`(?i)\bhvem\b`),
	},
	language.Portuguese: {
		lazily(`(?i)\bquando\b|\bem que (?:ano|dia|data)`),
		lazily(`(?i)\bquant[oa]s?\b`),
		lazily(`(?i)^(?:a |de |com |por )?quem\b`),
	},
	language.Russian: {
		lazily(`(?i)когда|в каком году|какого числа`),
		lazily(`(?i)сколько`),
		lazily(`(?i)^(?:кто|кому|кого|кем)(?:\PL|$)`),
	},
	language.Spanish: {
		lazily(`(?i)\bcu[aá]ndo\b|\bqu[eé] (?:d[ií]a|fecha|año|hora)`),
		lazily(`(?i)\bcu[aá]nt[oa]s?\b`),
		lazily(`(?i)\bqui[eé]n(?:es)?\b`),
	},
	language.Swedish: {
		lazily(`(?i)(?:^|\s)när\b|\bvilket (?:år|datum)`),
		lazily(`(?i)\bhur (?:många|mycket|gammal|hög|högt|lång|stor)`),
		lazily(`(?i)\bvem\b`),
	},
	language.Thai: {
		lazily(`เมื่อ(?:ไร|ไหร่|ใด)`),
		lazily(`กี่|เท่า(?:ไร|ไหร่)`),
		lazily(`ใคร`),
	},
}

// versionAsked matches the questions for a version.
var versionAsked = lazily(`(?i)\b(?:which|what|latest|newest|first|current) (?:\pL+ ){0,2}(?:versions?|releases?)\b|\bwelche[rnm]? (?:\pL+ )?version|\bquelle version|\bqué versión`)

// measureAsked matches the questions for a length, an age or another measure.
var measureAsked = lazily(`(?i)\bhow (?:long|old|far|big|tall|wide|high|deep|heavy|large)\b|\bwie (?:alt|lang|weit|groß|hoch|tief|breit|schwer)\b|\bhoe (?:oud|lang|hoog|groot|diep|breed)\b|\bhur (?:gammal|hög|högt|lång|stor|djup)`)

// askOf returns the kind of answer that a question of a language asks for.
func askOf(l language.Language, question string) Ask {
	kind := Ask("")
	for i, pattern := range askPatterns[l] {
		if pattern().MatchString(question) {
			kind = asks[i]
			break
		}
	}
	switch {
	case kind != AskTime && versionAsked().MatchString(question):
		return AskVersion
	case measureAsked().MatchString(question):
		return AskMeasure
	}
	return kind
}

// questionWord finds a word that asks for more than yes or no, in English.
var questionWord = lazily(`(?i)\b(?:who(?:m|se)?|what|when|where|why|how|which)\b`)

// HasQuestionWord reports whether an English text has a word such as who or why, which asks for more
// than yes or no.
func HasQuestionWord(text string) bool { return questionWord().MatchString(text) }

// listQuestions match the questions of a language that ask for steps, reasons or the members of a list.
var listQuestions = map[language.Language]func() *regexp.Regexp{
	language.English:    lazily(`(?i)^\PL*(?:how (?:do|can|does|to|should|would|could|is|are)|why|(?:which|what) (?:\pL+ ){0,3}(?:are|were|exist)|what can|list|name|what went|steps)(?:\PL|$)`),
	language.German:     lazily(`(?i)^\PL*(?:wie (?:kann|können|installier|mach|richte|geht|funktioniert|\pL+e ich|\pL+t man|wird|werden)|warum|wieso|weshalb|welche[nrs]?|nenne|liste)(?:\PL|$)`),
	language.French:     lazily(`(?i)^\PL*(?:comment|pourquoi|quel(?:le)?s|liste)(?:\PL|$)`),
	language.Spanish:    lazily(`(?i)^\PL*(?:¿?c[oó]mo|¿?por qu[eé]|¿?qu[eé] \pL+s |¿?cu[aá]les)(?:\PL|$)`),
	language.Italian:    lazily(`(?i)^\PL*(?:come|perch[eé]|quali)(?:\PL|$)`),
	language.Portuguese: lazily(`(?i)^\PL*(?:como|por ?qu[eê]|quais)(?:\PL|$)`),
	language.Dutch:      lazily(`(?i)^\PL*(?:hoe|waarom|welke)(?:\PL|$)`),
	language.Swedish:    lazily(`(?i)^\PL*(?:hur|varför|vilka)(?:\PL|$)`),
	language.Danish:     lazily(`(?i)^\PL*(?:hvordan|hvorfor|hvilke)(?:\PL|$)`),
	language.Norwegian:  lazily(`(?i)^\PL*(?:hvordan|hvorfor|hvilke)(?:\PL|$)`),
	language.Russian:    lazily(`(?i)^\PL*(?:как|почему|зачем|какие)(?:\PL|$)`),
	language.Chinese:    lazily(`为什么|為什麼|如何|怎么|怎麼|哪些`),
	language.Japanese:   lazily(`なぜ|どうやって|どのように|どんな`),
	language.Arabic:     lazily(`^(?:كيف|لماذا|ماذا)(?:\PL|$)`),
	language.Greek:      lazily(`(?i)^(?:πώς|γιατί|ποιες|ποια είναι τα)(?:\PL|$)`),
	language.Hebrew:     lazily(`^(?:איך|כיצד|למה|מדוע|אילו)(?:\PL|$)`),
	language.Hindi:      lazily(`(?:^|\s)(?:कैसे|क्यों|कौन-कौन)(?:\PL|$)`),
	language.Korean:     lazily(`어떻게|왜|어떤|무엇을`),
	language.Thai:       lazily(`อย่างไร|ยังไง|ทำไม|อะไรบ้าง`),
}

// memberQuestions match the questions of a language that ask for the members of a list.
var memberQuestions = map[language.Language]func() *regexp.Regexp{
	language.English:    lazily(`(?i)^\PL*(?:list|name|(?:which|what|who) (?:are|were)(?:\PL|$))`),
	language.German:     lazily(`(?i)^\PL*(?:welche \pL+n\b|welche .*gibt es|nenne|liste|wer sind)`),
	language.French:     lazily(`(?i)^\PL*quel(?:le)?s\b`),
	language.Spanish:    lazily(`(?i)^\PL*(?:qu[eé] \pL+s\b|cu[aá]les)`),
	language.Italian:    lazily(`(?i)^\PL*quali\b`),
	language.Portuguese: lazily(`(?i)^\PL*quais\b`),
	language.Dutch:      lazily(`(?i)^\PL*welke \pL+(?:en|s)\b`),
	language.Swedish:    lazily(`(?i)^\PL*vilka\b`),
	language.Danish:     lazily(`(?i)^\PL*hvilke\b`),
	language.Norwegian:  lazily(`(?i)^\PL*hvilke\b`),
	language.Russian:    lazily(`(?i)^\PL*какие(?:\PL|$)`),
	language.Chinese:    lazily(`哪些|有什么|有什麼`),
	language.Japanese:   lazily(`何がありますか|どんな|どのような.*が`),
}

// asksForMembers reports whether a question of a language asks for the members of a list.
func asksForMembers(l language.Language, question string) bool {
	if pattern := memberQuestions[l]; pattern != nil && pattern().MatchString(question) {
		return true
	}
	if l != language.English {
		return false
	}
	words := strings.Fields(strings.ToLower(question))
	for i, w := range words[:min(4, len(words))] { // which red pumps
		if i > 0 && ClassOf(w)&(Auxiliary|Adverb) == 0 && len(Singulars(w)) > 0 && (words[0] == "which" || words[0] == "what") {
			return true
		}
	}
	return false
}

// asksForList reports whether a question of a language asks for steps, reasons or the members of a list.
func asksForList(l language.Language, question string) bool {
	pattern := listQuestions[l]
	return pattern != nil && pattern().MatchString(question) || asksForMembers(l, question)
}

// personNames match a name of two or more words.
var personNames = lazily(`\p{Lu}\p{Ll}+(?:-\p{Lu}\p{Ll}+)? (?:(?:von|van|der|de|da|di|del|al) ){0,2}\p{Lu}\p{Ll}+`)

// NamesPersonBesides reports whether a text has a name of several words that shares none of some terms.
func NamesPersonBesides(l language.Language, text string, terms TermSet) bool {
	for _, name := range personNames().FindAllString(text, -1) {
		if TermSetIn(l, name).Shared(terms) == 0 {
			return true
		}
	}
	return false
}

// pronouns match the pronouns of the third person.
var pronouns = lazily(`(?i)(?:^|\PL)(?:he|she|him|her|his|hers|they|them|their|it|its|er|ihn|ihm|sein|seine[nmrs]?|ihr|ihre[nmrs]?|sie|il|elle|lui|leur|son|él|ella|su|sus|lei|egli|ele|ela|hij|zij|haar|hem|han|hon|hun|он|она|они|его|её|ему|ей)(?:\PL|$)`)

// HasPronoun reports whether a sentence has a pronoun of the third person.
func HasPronoun(sentence string) bool { return pronouns().MatchString(sentence) }

// figures match the numbers and versions of a question.
var figures = lazily(`\d+(?:[.,:-]\d+)*`)

// FiguresIn returns the numbers, dates and versions of a question, as written.
func FiguresIn(question string) []string { return figures().FindAllString(question, -1) }

// months are the names of months in other languages than English.
const months = `januar|februar|märz|mai|juni|juli|oktober|dezember|janvier|février|mars|avril|juin|juillet|août|septembre|octobre|novembre|décembre|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|setiembre|octubre|noviembre|diciembre|gennaio|febbraio|aprile|maggio|giugno|luglio|settembre|ottobre|dicembre|janeiro|fevereiro|março|maio|junho|julho|setembro|outubro|novembro|dezembro|januari|februari|maart|mei|augustus|maj|augusti|marts|desember|января|февраля|марта|апреля|мая|июня|июля|августа|сентября|октября|ноября|декабря`

// englishMonths are the names of months in English.
const englishMonths = `january|february|march|april|june|july|august|september|october|november|december`

// spanPatterns find a span of a kind in a text.
var spanPatterns = map[Ask]func() *regexp.Regexp{
	AskTime:    lazily(`(?i)\d{1,2}\.?(?:er|º|°)? (?:de |di )?(?:` + months + `|` + englishMonths + `|may)(?:,? (?:de |del )?(?:1[5-9]|20)\d\d)?|(?:1[5-9]|20)\d\d(?:年(?:\d{1,2}月(?:\d{1,2}日)?)?|년(?: ?\d{1,2}월(?: ?\d{1,2}일)?)?)|\d{1,2}월 ?\d{1,2}일|(?:1[5-9]|20)\d\d-\d\d-\d\d|\d{1,2}\.\d{1,2}\.(?:1[5-9]|20)\d\d|\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|\d{1,2}(?::\d\d)? ?[ap]m|\d{1,2}:\d\d|(?:\d{1,2} )?(?:` + englishMonths + `)(?: \d{1,2}(?:st|nd|rd|th)?)?(?:,? (?:1[5-9]|20)\d\d)?|may \d{1,2}|tomorrow|tonight|today|yesterday|morning|afternoon|evening|noon|weekends?|\d{1,2}(?:st|nd|rd|th)|(?:1[5-9]|20)\d\d)\b`),
	AskNumber:  lazily(`(?i)\b(?:(?:about |around )?\d[\d.,]*(?: ?(?:%|percent|kg|km|cm|m|minutes?|hours?|days?|weeks?|months?|years?|seconds?|dollars?))?|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)(?:teen|ty)|forty|twenty|twice|once|both|hundreds?|thousands?|dozens?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|deux|trois|quatre|cinq|sept|huit|neuf|dix|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|due|tre|quattro|cinque|sei|sette|otto|nove|dieci)\b|[一二三四五六七八九十百千万两]+\p{Han}`),
	AskMeasure: lazily(`(?i)\d[\d.,]*|\b(?:two|three|four|five|six|seven|eight|nine|ten|hours?|days?|weeks?|months?|years?|minutes?)\b`),
	AskVersion: lazily(`(?i)\bv?\d+\.\d+(?:\.\d+)*(?:[a-z]+\d*)?\b`),
}

// In returns the first span of a text that is of the kind, empty if there is none or if words
// do not show the kind.
func (a Ask) In(text string) string {
	pattern := spanPatterns[a]
	if pattern == nil {
		return ""
	}
	for _, at := range pattern().FindAllStringIndex(text, -1) {
		before, _ := utf8.DecodeLastRuneInString(text[:at[0]])
		after, _ := utf8.DecodeRuneInString(text[at[1]:])
		if !joins(before) && !joins(after) { // the pattern knows the letters of ASCII alone
			return strings.TrimSpace(text[at[0]:at[1]])
		}
	}
	return ""
}

// joins reports whether a letter is of the same word as what is next to it. A number is next to the letters of
// its unit in Chinese, Japanese, Korean and Thai.
func joins(r rune) bool {
	return isInWord(r) && !unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai)
}

// BeginsWithVerb reports whether a text in English begins with a verb in the past tense or its base form, as
// "Fixed the export" does, and has no name of a person.
func BeginsWithVerb(l language.Language, text string) bool {
	word, _, _ := strings.Cut(strings.TrimLeft(text, " *_`-"), " ")
	lower := strings.ToLower(word)
	verb := ClassOf(lower)&(PastVerb|BaseVerb) != 0 || strings.HasSuffix(lower, "ed")
	return l == language.English && verb && !NamesPersonBesides(l, text, nil)
}
