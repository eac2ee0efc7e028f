package conversation

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/neorag/neorag/internal/query/cite"
	"github.com/neorag/neorag/internal/text"
	"github.com/neorag/neorag/internal/text/textproc"
)

// Condense returns the question as it would be asked without the history, oldest
// turn first, by rules of English:
//
//   - Pronouns take a name of the last question, else of its answer or of the
//     questions before: "Where did he live?".
//   - A question without a verb replaces the name in the last question, or extends
//     it: "And his nephew?", "What about Fred?", "In Paris?".
//   - A question that only asks for more is appended to the last one: "Why?".
//
// A question that names what it is about stays as it is. The rules know the gender
// of a name only by its title (Mrs), and resolve "they" only to two names of the last
// question. They do not resolve "this", "that", "one", or anything without a name.
func Condense(question string, history []Turn) string {
	question = text.OneLine(question)
	if len(history) == 0 || question == "" {
		return question
	}
	last := strings.TrimRight(text.OneLine(history[len(history)-1].condensed()), " ?.!")
	rest := question[len(opener.FindString(question)):]
	opened := rest != question
	asked, others := namesBefore(history)
	resolved := resolve(rest, asked, others)
	phrase := strings.TrimRight(resolved, " ?.!")
	words := strings.Fields(strings.ToLower(strings.Trim(rest, " ?.!")))
	switch {
	case len(words) == 0 || last == "":
		return question
	case asksForMore(words):
		return last + ", and " + changeFirst(phrase, unicode.ToLower) + "?"
	case hasVerb(words, opened) && opened && resolved == rest:
		return question // "and" alone changes nothing
	case hasVerb(words, opened):
		return changeFirst(resolved, unicode.ToUpper)
	case textproc.ClassOf(words[0])&textproc.Preposition != 0:
		return last + " " + changeFirst(phrase, unicode.ToLower) + "?"
	}
	for _, name := range asked {
		if at := regexp.MustCompile(`(?i)` + regexp.QuoteMeta(name)).FindStringIndex(last); at != nil {
			return last[:at[0]] + phrase + last[at[1]:] + "?"
		}
	}
	return last + ", as to " + phrase + "?"
}

// opener is the words that join a question to the one before.
var opener = regexp.MustCompile(`(?i)^(?:(?:and|but|or|so|then|also|ok|okay)\b[\s,]*)*(?:(?:what|how) about\b\s*)?`)

var questionWords = strings.Fields("who whom whose what which when where why how")

// asksForMore reports whether a question only asks for more about the last one:
// "why?", "who else?", "why is that?".
func asksForMore(words []string) bool {
	if !slices.Contains(questionWords, words[0]) {
		return false
	}
	end := words[len(words)-1]
	return len(words) == 1 || len(words) == 2 && (end == "else" || end == "not" || words[0] == "how") ||
		len(words) <= 4 && (end == "that" || end == "this" || end == "so")
}

// maxVerbless is the number of words up to which a question may lack a verb
// without an opener.
const maxVerbless = 3

// hasVerb reports whether a question can be understood with the last one's verb left out.
func hasVerb(words []string, opened bool) bool {
	isAuxiliary := func(w string) bool { return textproc.ClassOf(w)&textproc.Auxiliary != 0 }
	if slices.Contains(questionWords, words[0]) || slices.ContainsFunc(words, isAuxiliary) {
		return true
	}
	isVerb := textproc.ClassOf(words[0])&textproc.BaseVerb != 0 && (!opened || len(words) > 1)
	return isVerb || !opened && len(words) > maxVerbless
}

// maxAnswerNames is the number of names that are taken of an answer.
const maxAnswerNames = 5

// namesBefore returns the names of the last question in their order, and other names
// that a pronoun may refer to: of its answer, the most frequent first, then of
// the questions before.
func namesBefore(history []Turn) (asked, others []string) {
	last := history[len(history)-1]
	answer := cite.StripNumbers(last.Answer)
	asked = slices.Concat(textproc.ReadQuestion(last.condensed()).Names, typedNames(last.condensed(), answer))
	others = textproc.ReadQuestion(answer).Names
	slices.SortStableFunc(others, func(a, b string) int { return cmp.Compare(strings.Count(answer, b), strings.Count(answer, a)) })
	others = others[:min(maxAnswerNames, len(others))]
	for i := len(history) - 2; i >= 0; i-- {
		others = append(others, textproc.ReadQuestion(history[i].condensed()).Names...)
	}
	return asked, others
}

// typedNames returns the words of a question that its answer always writes with a
// capital: names that were typed without one.
func typedNames(question, answer string) []string {
	notLetter := func(r rune) bool { return !unicode.IsLetter(r) }
	written := strings.FieldsFunc(answer, notLetter)
	var out []string
	for _, word := range strings.FieldsFunc(question, notLetter) {
		name := changeFirst(word, unicode.ToUpper)
		if slices.Contains(written, name) && !slices.Contains(written, word) && !slices.Contains(questionWords, word) && textproc.ClassOf(word)&textproc.FunctionWord == 0 {
			out = append(out, name)
		}
	}
	return out
}

var (
	wordForm = regexp.MustCompile(`[\pL\pN]+(?:['’-][\pL\pN]+)*`)
	// impersonal is an "it" without a referent: "is it true that", "is it possible to".
	impersonal = regexp.MustCompile(`(?i)^it \pL+ (?:that|to)\b`)
)

// subjects are the pronouns, each with the one of its subject.
var subjects = map[string]string{
	"he": "he", "him": "he", "his": "he", "she": "she", "her": "she", "hers": "she",
	"it": "it", "its": "it", "they": "they", "them": "they", "their": "they", "theirs": "they",
}

// resolve replaces the pronouns of a question by names, except those that follow a
// name of the question itself. Two subjects never get the same name.
func resolve(question string, asked, others []string) string {
	own := len(question)
	for _, name := range textproc.ReadQuestion(question).Names {
		if at := strings.Index(question, name); at >= 0 {
			own = min(own, at)
		}
	}
	var out strings.Builder
	at := 0
	subjectOf := map[string]string{} // by name
	for _, span := range wordForm.FindAllStringIndex(question, -1) {
		word := strings.ToLower(question[span[0]:span[1]])
		subject := subjects[word]
		if subject == "" || span[0] > own || impersonal.MatchString(question[span[0]:]) {
			continue
		}
		name := nameFor(subject, asked, others)
		if name == "" || cmp.Or(subjectOf[name], subject) != subject {
			continue
		}
		subjectOf[name] = subject
		if isPossessive(word, strings.ToLower(wordForm.FindString(question[span[1]:]))) {
			name = possessive(name)
		}
		out.WriteString(question[at:span[0]] + name)
		at = span[1]
	}
	return out.String() + question[at:]
}

// nameFor returns the name that a subject most likely refers to; "" where none fits.
func nameFor(subject string, asked, others []string) string {
	if subject == "they" {
		if len(asked) < 2 {
			return ""
		}
		return asked[0] + " and " + asked[1]
	}
	best := ""
	for _, name := range slices.Concat(asked, others) {
		title, _, _ := strings.Cut(strings.ToLower(name), " ")
		class := textproc.ClassOf(title)
		isPlace, isFemale := class&(textproc.KnownPlace|textproc.Demonym) != 0, class&textproc.FemaleWord != 0
		switch {
		case isPlace && subject != "it", isFemale && subject == "he":
		case isFemale && subject == "she":
			return name
		case best == "":
			best = name
		}
	}
	return best
}

// isPossessive reports whether a pronoun before the word next says whose something is.
func isPossessive(pronoun, next string) bool {
	const function = textproc.Preposition | textproc.Conjunction | textproc.Auxiliary | textproc.Determiner | textproc.Pronoun
	if pronoun == "her" {
		return next != "" && !slices.Contains(questionWords, next) && textproc.ClassOf(next)&function == 0
	}
	return strings.HasSuffix(pronoun, "s") || pronoun == "their"
}

func possessive(name string) string {
	if strings.HasSuffix(name, "s") {
		return name + "'"
	}
	return name + "'s"
}

func changeFirst(s string, change func(rune) rune) string {
	r, n := utf8.DecodeRuneInString(s)
	if n == 0 {
		return s
	}
	return string(change(r)) + s[n:]
}
