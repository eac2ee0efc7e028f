package textproc

import (
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/text/language"
)

// A Form is what the words of a question ask for.
type Form struct {
	Language language.Language // in which it is read
	Ask      Ask
	Cue      Cue
	Open     bool     // more than yes or no is asked for, in English
	Lists    bool     // steps, reasons or the members of a list are asked for
	Members  bool     // the members of a list are
	Thing    string   // to define, without its article: "berth" in "What is a berth?"
	Property string   // that it asks of something: "address" in "What is the address of Anna?"
	Figures  []string // numbers, dates and versions that it has, as written
}

// FormOf reads what a question asks for. A question that is too short to show its language is read in that of
// the documents if it has a question word of that language.
func FormOf(question string, documents language.Language) Form {
	l := questionLanguage(question, documents)
	f := Form{
		Language: l, Ask: askOf(l, question), Cue: cueOf(question), Open: HasQuestionWord(question),
		Lists: asksForList(l, question), Members: asksForMembers(l, question),
		Thing: definitionAsked(l, question), Figures: FiguresIn(question),
	}
	f.Property = propertyOf(f.Thing)
	return f
}

// questionLanguage returns the language of a question. One that is too short to tell is in the language of the
// documents or another one whose question words it has, else in English.
func questionLanguage(question string, documents language.Language) language.Language {
	if l := language.Of(question); l != language.Unknown {
		return l
	}
	for _, l := range append([]language.Language{documents, language.English}, language.Latin()...) {
		if definitionAsked(l, question) != "" || askOf(l, question) != "" || asksForList(l, question) {
			return l
		}
	}
	return language.English
}

// AnswerTerms returns the terms of a question in a language that its answer needs to hold: none that only say
// how something was said, asked or thought. It returns none for a question about the order of events or
// about an exact date, whose answer holds other words, and for one whose language is not known and
// that has no English word such as who or the.
func AnswerTerms(l language.Language, question string) []string {
	isKnown := language.Of(question) != language.Unknown || l != language.English ||
		slices.ContainsFunc(strings.Fields(strings.ToLower(question)), language.English.IsStopWord)
	if !isKnown || len(OrderParts(question)) > 0 || len(datesIn(question)) > 0 {
		return nil
	}
	var out []string
	for _, t := range ReadQuestionIn(l, question).Terms {
		if !askingTerms()[t.Term] {
			out = append(out, t.Term)
		}
	}
	return out
}
