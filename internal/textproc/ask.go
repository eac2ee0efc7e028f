package textproc

import (
	"github.com/neorag/neorag/internal/language"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// An Ask is the kind of answer that an English question asks for.
type Ask string

// The kinds that are recognised. The empty Ask is any other.
const (
	AskTime   Ask = "time"
	AskNumber Ask = "number"
	AskPerson Ask = "person"
)

// An askPattern matches the questions that ask for a kind of answer.
type askPattern struct {
	ask     Ask
	pattern *regexp.Regexp
}

// askPatterns find in a question what it asks for, the first that matches.
var askPatterns = sync.OnceValue(func() []askPattern {
	return []askPattern{
		{AskTime, regexp.MustCompile(`(?i)\b(?:when|(?:what|which) (?:time|day|days|date|month|year))\b`)},
		{AskNumber, regexp.MustCompile(`(?i)\bhow (?:many|much|long|old|far|often|big|tall|wide|high)\b|\bwhat (?:age|number|percentage|price|size)\b`)},
		{AskPerson, regexp.MustCompile(`(?i)\bwho(?:m|se)?\b`)},
	}
})

// AskOf returns the kind of answer that a question asks for.
func AskOf(question string) Ask {
	for _, p := range askPatterns() {
		if p.pattern.MatchString(question) {
			return p.ask
		}
	}
	return ""
}

// spanPatterns find a span of a kind in a text.
var spanPatterns = sync.OnceValue(func() map[Ask]*regexp.Regexp {
	return map[Ask]*regexp.Regexp{
		AskTime:   regexp.MustCompile(`(?i)\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|\d{1,2}(?::\d\d)? ?[ap]m|\d{1,2}:\d\d|(?:\d{1,2} )?(?:january|february|march|april|june|july|august|september|october|november|december)(?: \d{1,2}(?:st|nd|rd|th)?)?(?:,? (?:1[5-9]|20)\d\d)?|may \d{1,2}|tomorrow|tonight|today|yesterday|morning|afternoon|evening|noon|weekends?|\d{1,2}(?:st|nd|rd|th)|(?:1[5-9]|20)\d\d)\b`),
		AskNumber: regexp.MustCompile(`(?i)\b(?:(?:about |around )?\d[\d.,]*(?: ?(?:%|percent|kg|km|cm|m|minutes?|hours?|days?|weeks?|months?|years?|seconds?|dollars?))?|one|two|three|four|five|six|seven|eight|nine|ten|twice|once|hundreds?|thousands?|dozens?)\b`),
	}
})

// In returns the first span of a text that is of the kind, empty if there is none or if words
// do not show the kind.
func (a Ask) In(text string) string {
	pattern := spanPatterns()[a]
	if pattern == nil {
		return ""
	}
	return strings.TrimSpace(pattern.FindString(text))
}

// AnswerTerms returns the terms of a question that its answer needs to hold: none that only say how
// something was said, asked or thought. It returns none for a question about the order of events or
// about an exact date, whose answer holds other words, and for one without an English word such as
// who or the.
func AnswerTerms(question string) []string {
	english := slices.ContainsFunc(strings.Fields(strings.ToLower(question)), func(word string) bool { return language.English.IsStopWord(word) })
	if !english || len(OrderParts(question)) > 0 || len(datesIn(question)) > 0 {
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
