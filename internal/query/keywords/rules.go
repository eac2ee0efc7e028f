package keywords

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/neorag/neorag/internal/text/textproc"
)

// verbClasses are the classes of words that end a noun phrase besides function words.
const verbClasses = textproc.BaseVerb | textproc.PastVerb | textproc.PersonVerb | textproc.SpeechVerb

// ByRules reads the keywords of a question without a model: noun phrases are low-level, all
// content words besides names and numbers are high-level.
func ByRules(question string) Keywords {
	var r reader
	for field := range strings.FieldsSeq(question) {
		word := strings.TrimFunc(field, func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) })
		bare := strings.TrimSuffix(strings.TrimSuffix(word, "'s"), "’s")
		r.add(bare)
		if !strings.HasSuffix(field, bare) { // punctuation or a possessive ends the phrase
			r.end()
			r.determiner = bare != word
		}
	}
	r.end()
	return Keywords{Low: clean(r.low), High: clean(r.high), By: "rules"}
}

// A reader collects keywords word by word.
type reader struct {
	low, high, phrase []string
	determiner        bool // the word before is a determiner: a noun phrase follows
}

func (r *reader) add(word string) {
	lower, capital := strings.ToLower(word), isCapital(word)
	if len(r.phrase) > 0 && capital != isCapital(r.phrase[len(r.phrase)-1]) {
		r.end() // a name is a phrase without the words before and behind it
	}
	inside := r.determiner || len(r.phrase) > 0 && !capital
	switch {
	case !isContent(lower):
		r.end()
	case isVerb(lower) && !capital && !inside:
		r.end()
		r.high = append(r.high, word)
	default:
		r.phrase = append(r.phrase, word)
	}
	r.determiner = textproc.ClassOf(lower)&textproc.Determiner != 0
}

func (r *reader) end() {
	if len(r.phrase) > 0 {
		phrase := strings.Join(r.phrase, " ")
		r.low = append(r.low, phrase)
		if first, _ := utf8.DecodeRuneInString(phrase); unicode.IsLower(first) {
			r.high = append(r.high, phrase)
		}
	}
	r.phrase = nil
}

// isContent reports whether a word says what a question is about.
func isContent(lower string) bool {
	class := textproc.ClassOf(lower)
	return len(textproc.ReadQuestion(lower).Terms) > 0 && class&(textproc.FunctionWord|textproc.Negation) == 0
}

// isVerb reports whether a word is a verb, by the word lists or by its ending.
func isVerb(lower string) bool {
	if textproc.ClassOf(lower)&verbClasses != 0 || textproc.ClassOf(strings.TrimSuffix(lower, "s"))&textproc.BaseVerb != 0 {
		return true
	}
	return len(lower) > 4 && (strings.HasSuffix(lower, "ed") || strings.HasSuffix(lower, "ing"))
}

func isCapital(word string) bool {
	for _, c := range word {
		return unicode.IsUpper(c)
	}
	return false
}
