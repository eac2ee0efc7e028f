package textproc

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/neorag/neorag/internal/text/language"
)

// An Ask is the kind of answer that a question asks for.
type Ask string

// The kinds that are recognised. The empty Ask is any other.
const (
	AskTime   Ask = "time"
	AskNumber Ask = "number"
	AskPerson Ask = "person"
)

// asks are the kinds in the order of askPatterns.
var asks = []Ask{AskTime, AskNumber, AskPerson}

// askPatterns find in a question of a language what it asks for, the first that matches.
var askPatterns = map[language.Language][]func() *regexp.Regexp{
	language.Arabic:  {lazily(`متى`), lazily(`(?:^|\s)كم\s`), lazily(`^من\s|\sمن (?:هو|هي|هم)\s`)},
	language.Chinese: {lazily(`什么时候|什麼時候|何时|何時|哪[年天]`), lazily(`多少|[几幾][个個]`), lazily(`[谁誰]`)},
	language.English: {
		lazily(`(?i)\b(?:when|(?:what|which) (?:time|day|days|date|month|year))\b`),
		lazily(`(?i)\bhow (?:many|much|long|old|far|often|big|tall|wide|high)\b|\bwhat (?:age|number|percentage|price|size)\b`),
		lazily(`(?i)\bwho(?:m|se)?\b`),
	},
	language.French: {lazily(`(?i)\bquand\b|\bquel(?:le)? (?:jour|date|année|heure)`), lazily(`(?i)\bcombien\b`), lazily(`(?i)(?:^|^à |^de |^avec |^par )qui\b`)},
	language.German: {
		lazily(`(?i)\bwann\b|\b(?:welche[mnrs]?) (?:tag|datum|monat|jahr|uhrzeit)`),
		lazily(`(?i)\bwie ?(?:viele?|alt|lange?|oft|weit|gro|hoch)`), lazily(`(?i)\b(?:wer|wen|wem|wessen)\b`),
	},
	language.Spanish: {lazily(`(?i)\bcu[aá]ndo\b|\bqu[eé] (?:d[ií]a|fecha|año|hora)`), lazily(`(?i)\bcu[aá]nt[oa]s?\b`), lazily(`(?i)\bqui[eé]n(?:es)?\b`)},
}

// AskOf returns the kind of answer that a question asks for.
func AskOf(question string) Ask {
	for i, pattern := range askPatterns[cmp.Or(language.Of(question), language.English)] {
		if pattern().MatchString(question) {
			return asks[i]
		}
	}
	return ""
}

// questionWord finds a word that asks for more than yes or no, in English.
var questionWord = lazily(`(?i)\b(?:who(?:m|se)?|what|when|where|why|how|which)\b`)

// HasQuestionWord reports whether an English text has a word such as who or why, which asks for more
// than yes or no.
func HasQuestionWord(text string) bool { return questionWord().MatchString(text) }

// spanPatterns find a span of a kind in a text.
var spanPatterns = map[Ask]func() *regexp.Regexp{
	AskTime:   lazily(`(?i)\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|\d{1,2}(?::\d\d)? ?[ap]m|\d{1,2}:\d\d|(?:\d{1,2} )?(?:january|february|march|april|june|july|august|september|october|november|december)(?: \d{1,2}(?:st|nd|rd|th)?)?(?:,? (?:1[5-9]|20)\d\d)?|may \d{1,2}|tomorrow|tonight|today|yesterday|morning|afternoon|evening|noon|weekends?|\d{1,2}(?:st|nd|rd|th)|(?:1[5-9]|20)\d\d)\b`),
	AskNumber: lazily(`(?i)\b(?:(?:about |around )?\d[\d.,]*(?: ?(?:%|percent|kg|km|cm|m|minutes?|hours?|days?|weeks?|months?|years?|seconds?|dollars?))?|one|two|three|four|five|six|seven|eight|nine|ten|twice|once|hundreds?|thousands?|dozens?)\b`),
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
		if !isInWord(before) && !isInWord(after) { // the pattern knows the letters of ASCII alone
			return strings.TrimSpace(text[at[0]:at[1]])
		}
	}
	return ""
}

// AnswerTerms returns the terms of a question that its answer needs to hold: none that only say how
// something was said, asked or thought. It returns none for a question about the order of events or
// about an exact date, whose answer holds other words, and for one whose language is not known and
// that has no English word such as who or the.
func AnswerTerms(question string) []string {
	isKnown := language.Of(question) != language.Unknown || slices.ContainsFunc(strings.Fields(strings.ToLower(question)), language.English.IsStopWord)
	if !isKnown || len(OrderParts(question)) > 0 || len(datesIn(question)) > 0 {
		return nil
	}
	var out []string
	for _, t := range ReadQuestion(question).Terms {
		if !askingTerms()[t.Term] {
			out = append(out, t.Term)
		}
	}
	return out
}
