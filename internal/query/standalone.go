package query

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/neorag/neorag/internal/textproc"
)

// Condense is a question as it would be asked without the conversation before
// it, oldest turn first, by rules of English: a pronoun without a name of its
// own takes one of the last turn, and what a question leaves out ("and his
// nephew?", "why?") is taken from the last question. A question that names what
// it is about stays as it is.
func Condense(question string, history []Turn) string {
	question = oneLine(question)
	if len(history) == 0 || question == "" {
		return question
	}
	last := strings.TrimRight(oneLine(history[len(history)-1].alone()), " ?.!")
	rest, opened := withoutOpener(question)
	r := resolver{candidates: candidates(history), chosen: map[string]string{}}
	resolved := r.resolve(rest)
	words := strings.Fields(strings.ToLower(strings.Trim(rest, " ?.!")))
	switch {
	case len(words) == 0 || last == "":
		return question
	case asksOn(words):
		return last + ", and " + lowerFirst(strings.TrimRight(resolved, " ?.!")) + "?"
	case !isElliptic(words, opened):
		if opened && resolved == rest {
			return question // "and" alone changes nothing
		}
		return upperFirst(resolved)
	}
	phrase := strings.TrimRight(resolved, " ?.!")
	if textproc.ClassOf(words[0])&textproc.Preposition != 0 {
		return last + " " + lowerFirst(phrase) + "?"
	}
	if name := r.subject(last); name != "" {
		at := whereverCase(name, last)
		return last[:at[0]] + phrase + last[at[1]:] + "?"
	}
	return last + ", as to " + phrase + "?"
}

var opener = regexp.MustCompile(`(?i)^(?:(?:and|but|or|so|then|also|ok|okay)\b[\s,]*)*(?:(?:what|how) about\b\s*)?`)

// withoutOpener takes off the words that join a question to the one before.
func withoutOpener(question string) (rest string, opened bool) {
	rest = question[len(opener.FindString(question)):]
	return rest, len(rest) < len(question)
}

var questionWords = strings.Fields("who whom whose what which when where why how")

func isAsking(word string) bool { return slices.Contains(questionWords, word) }

// asksOn reports whether a question only asks for one thing more of the last
// one: "why?", "who else?", "why is that?".
func asksOn(words []string) bool {
	if !isAsking(words[0]) {
		return false
	}
	if pointing := words[len(words)-1]; len(words) <= 4 && (pointing == "that" || pointing == "this" || pointing == "so") {
		return true
	}
	return len(words) == 1 || len(words) == 2 && (words[1] == "else" || words[0] == "how" || words[1] == "not")
}

// fewWords is how many words a question may have that leaves out its verb.
const fewWords = 3

// isElliptic reports whether a question has no verb of its own.
func isElliptic(words []string, opened bool) bool {
	if isAsking(words[0]) || slices.ContainsFunc(words, func(w string) bool { return textproc.ClassOf(w)&textproc.Auxiliary != 0 }) {
		return false
	}
	if !opened && (len(words) > fewWords || textproc.ClassOf(words[0])&textproc.BaseVerb != 0) {
		return false
	}
	return !slices.Contains(imperatives, words[0])
}

// imperatives open a request that is whole.
var imperatives = strings.Fields("tell list name describe explain show summarise summarize compare give say write define find")

// A candidate is a name that a pronoun may stand for.
type candidate struct {
	name   string
	female bool
	place  bool // known to be none of a person
	answer bool // it is from an answer
}

// mostCandidates bounds how many names of an answer are thought of.
const mostCandidates = 5

// candidates are the names of the last turn: those of the question, then those
// of the answer, the most frequent first; then those of the questions before.
func candidates(history []Turn) []candidate {
	var out []candidate
	add := func(name string, answer bool) {
		if !slices.ContainsFunc(out, func(c candidate) bool { return c.name == name }) {
			title, _, _ := strings.Cut(strings.ToLower(name), " ")
			class := textproc.ClassOf(title)
			out = append(out, candidate{name: name, female: class&textproc.FemaleWord != 0, place: class&(textproc.KnownPlace|textproc.Demonym) != 0, answer: answer})
		}
	}
	last := history[len(history)-1]
	answered := frequentNames(last.Answer)
	for _, name := range textproc.ReadQuestion(last.alone()).Names {
		add(name, false)
	}
	for _, name := range typedNames(last) {
		add(name, false)
	}
	for _, name := range answered[:min(len(answered), mostCandidates)] {
		add(name, true)
	}
	for i := len(history) - 2; i >= 0 && len(out) < 2*mostCandidates; i-- {
		for _, name := range textproc.ReadQuestion(history[i].alone()).Names {
			add(name, false)
		}
	}
	return out
}

// typedNames are the words of a question that its answer writes with a capital,
// and never without: names that were typed without one.
func typedNames(t Turn) []string {
	written := map[string]bool{}
	for _, w := range strings.FieldsFunc(t.Answer, notLetter) {
		written[w] = true
	}
	var out []string
	for _, w := range strings.FieldsFunc(t.alone(), notLetter) {
		_, size := utf8.DecodeRuneInString(w)
		if name := strings.ToUpper(w[:size]) + w[size:]; !written[w] && written[name] && textproc.ClassOf(w)&textproc.FunctionWord == 0 && !isAsking(w) {
			out = append(out, name)
		}
	}
	return out
}

func notLetter(r rune) bool { return !unicode.IsLetter(r) }

// frequentNames are the names of a text, the most frequent first.
func frequentNames(text string) []string {
	text = referenceGroup.ReplaceAllString(text, "")
	names := textproc.ReadQuestion(text).Names
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(strings.Count(text, b), strings.Count(text, a)) })
	return names
}

// A resolver puts names in for pronouns, one name for the pronouns of one person.
type resolver struct {
	candidates []candidate
	chosen     map[string]string // by person
}

// A pronoun stands for a person of a kind; owner says that it may say whose
// something is.
type pronoun struct {
	person        string
	owner, always bool // always: it says nothing else
}

var pronouns = map[string]pronoun{
	"he": {person: "he"}, "him": {person: "he"}, "his": {"he", true, true},
	"she": {person: "she"}, "her": {"she", true, false}, "hers": {"she", true, true},
	"it": {person: "it"}, "its": {"it", true, true},
	"they": {person: "they"}, "them": {person: "they"}, "their": {"they", true, true}, "theirs": {"they", true, true},
}

var wordForm = regexp.MustCompile(`[\pL\pN]+(?:['’-][\pL\pN]+)*`)

// resolve puts names in for the pronouns of a question, but for those that
// stand behind a name of the question itself.
func (r *resolver) resolve(question string) string {
	own := len(question)
	for _, name := range textproc.ReadQuestion(question).Names {
		if at := strings.Index(question, name); at >= 0 {
			own = min(own, at)
		}
	}
	var out strings.Builder
	at := 0
	for _, span := range wordForm.FindAllStringIndex(question, -1) {
		p, known := pronouns[strings.ToLower(question[span[0]:span[1]])]
		next := strings.ToLower(wordForm.FindString(question[span[1]:]))
		if !known || span[0] > own || p.person == "it" && !p.owner && isDummy(next) {
			continue
		}
		name := r.choose(p.person)
		if name == "" {
			continue
		}
		if p.owner && (p.always || isOwned(next)) {
			name = possessive(name)
		}
		out.WriteString(question[at:span[0]] + name)
		at = span[1]
	}
	return out.String() + question[at:]
}

// isDummy reports whether "it" before a word stands for nothing.
func isDummy(next string) bool {
	return slices.Contains(strings.Fields("true possible likely clear important necessary that rain raining"), next)
}

// isOwned reports whether a word behind "her" is something that is hers.
func isOwned(next string) bool {
	return next != "" && !isAsking(next) && textproc.ClassOf(next)&(textproc.Preposition|textproc.Conjunction|textproc.Auxiliary|textproc.Determiner|textproc.Pronoun) == 0
}

// subject is the first name of a question, in any letter case.
func (r *resolver) subject(question string) string {
	name, first := "", len(question)
	for _, c := range r.candidates {
		if at := whereverCase(c.name, question); at != nil && at[0] < first && !c.answer {
			name, first = c.name, at[0]
		}
	}
	return name
}

// whereverCase is where a name stands in a text, in any letter case.
func whereverCase(name, text string) []int {
	return regexp.MustCompile(`(?i)` + regexp.QuoteMeta(name)).FindStringIndex(text)
}

// choose is the name that a person's pronouns stand for, "" where none fits.
func (r *resolver) choose(person string) string {
	if name, known := r.chosen[person]; known {
		return name
	}
	name := ""
	if person == "they" {
		name = r.several()
	}
	if name == "" {
		name = r.first(func(c candidate) bool { return person == "it" || !c.place && (person != "he" || !c.female) }, person == "she")
	}
	if name != "" {
		r.chosen[person] = name
	}
	return name
}

// first is the first candidate that fits and that no other person has; women
// first where those are asked for.
func (r *resolver) first(fits func(candidate) bool, women bool) string {
	taken := func(name string) bool {
		for _, n := range r.chosen {
			if n == name {
				return true
			}
		}
		return false
	}
	for _, round := range []bool{women, false} {
		for _, c := range r.candidates {
			if fits(c) && !taken(c.name) && (c.female || !round) {
				return c.name
			}
		}
	}
	return ""
}

// several joins the names of the last question, or those of its answer.
func (r *resolver) several() string {
	var asked, answered []string
	for _, c := range r.candidates {
		if c.place {
			continue
		}
		if c.answer {
			answered = append(answered, c.name)
		} else if len(answered) == 0 {
			asked = append(asked, c.name)
		}
	}
	names := asked
	if len(asked) < 2 && len(answered) >= 2 {
		names = answered
	}
	if len(names) < 2 {
		return ""
	}
	return names[0] + " and " + names[1]
}

func possessive(name string) string {
	if strings.HasSuffix(name, "s") {
		return name + "'"
	}
	return name + "'s"
}

func lowerFirst(s string) string { return changeFirst(s, unicode.ToLower) }
func upperFirst(s string) string { return changeFirst(s, unicode.ToUpper) }

// changeFirst changes the first letter, but of a name not: lower case only
// where the first word is one that opens questions.
func changeFirst(s string, change func(rune) rune) string {
	word := strings.ToLower(wordForm.FindString(s))
	if word == "" || change('A') == 'a' && textproc.ClassOf(word)&(textproc.Preposition|textproc.Determiner|textproc.Pronoun) == 0 && !isAsking(word) {
		return s
	}
	runes := []rune(s)
	runes[0] = change(runes[0])
	return string(runes)
}
