package route

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/neorag/neorag/internal/text/textproc"
)

// A Subject is what a question about the whole asks for.
type Subject string

// The subjects.
const (
	Themes      Subject = "themes"
	Things      Subject = "things" // entities of some types
	Connections Subject = "connections"
	Changes     Subject = "changes"
	Comparison  Subject = "a comparison"
	Counts      Subject = "counts"
)

// An OverviewQuestion is a question that the graph answers as a whole, or around one or two names.
type OverviewQuestion struct {
	Subject Subject
	Types   []string // of the entities that it asks for
	Names   []string // entities of the graph that it names
}

// A subjectPattern matches the questions for a subject, over the question in lower case.
type subjectPattern struct {
	subject Subject
	names   []int // how many names such a question may have
	pattern *regexp.Regexp
}

// subjectPatterns find the subject of an English question, the first that matches.
var subjectPatterns = sync.OnceValue(func() []subjectPattern {
	return []subjectPattern{
		{Counts, []int{0}, regexp.MustCompile(`^(?:and |so )?how many\b|\bnumber of\b|^count\b`)},
		{Comparison, []int{2}, regexp.MustCompile(`\b(?:compar(?:e[sd]?|ing|ison|isons)|contrast(?:s|ed|ing)?|differ(?:s|ed|ent|ence|ences)?|similar|similarit(?:y|ies)|versus|vs|in common|alike)\b`)},
		{Changes, []int{0, 1}, regexp.MustCompile(`\b(?:chang(?:e[sd]?|ing)|over time|timeline|chronolog(?:y|ical)|evol(?:ves?|ved|ving|ution)|develop(?:s|ed|ing|ment|ments)?)\b`)},
		{Connections, []int{0, 2}, regexp.MustCompile(`\b(?:relationships?|relations?|related|connect(?:ed|s|ion|ions)?|links?|linked|between|interact(?:s|ed|ion|ions)?)\b`)},
	}
})

// subjectWords are words that only name a subject, besides overviewWords.
const subjectWords = `alike between change chat changing chronological chronology compare compared comparing comparison connect
connection contrast count develop development differ difference different documents evolution evolve interact interaction
link linked many much number over related relation relationship same similar similarity since start
there through time timeline versus vs`

var subjectTerms = sync.OnceValue(func() textproc.TermSet { return textproc.TermSetOf(subjectWords) })

// ReadOverview reads a question about the whole, or about the connection, the comparison or the change of
// entities that it names. ok is false for any other one: it has words that ask for a particular thing.
func ReadOverview(question string, names []string) (q OverviewQuestion, ok bool) {
	if len(textproc.HiddenAbbreviations(question)) > 0 { // it names something
		return q, false
	}
	lower := strings.ToLower(strings.TrimSpace(question))
	asked := textproc.ReadQuestion(withoutNames(question, names))
	if len(names) == 0 && IsOverview(asked) {
		q = OverviewQuestion{Subject: Themes, Types: OverviewTypes(question)}
		if len(q.Types) > 0 {
			q.Subject = Things
		}
		ok = true
	}
	for _, p := range subjectPatterns() {
		if slices.Contains(p.names, len(names)) && p.pattern.MatchString(lower) && onlyNamesSubject(asked) {
			return OverviewQuestion{Subject: p.subject, Types: OverviewTypes(question), Names: names}, true
		}
	}
	return q, ok
}

// MayName reports whether a question may be one about entities that it names, so that these have to be
// found before it is read.
func MayName(question string) bool {
	lower := strings.ToLower(question)
	return slices.ContainsFunc(subjectPatterns(), func(p subjectPattern) bool {
		return slices.Max(p.names) > 0 && p.pattern.MatchString(lower)
	})
}

// withoutNames removes names from a question.
func withoutNames(question string, names []string) string {
	for _, name := range names {
		question = strings.ReplaceAll(question, name, " ")
	}
	return question
}

// onlyNamesSubject reports whether a question without its names has only words that any collection could
// be asked about, or that name a subject.
func onlyNamesSubject(q textproc.Query) bool {
	return !slices.ContainsFunc(q.Terms, func(t textproc.WeightedTerm) bool {
		_, subject := subjectTerms()[t.Term]
		return !subject && !isGeneral(q.Language, t.Term)
	})
}
