package cite

import (
	"regexp"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/text"
	"github.com/neorag/neorag/internal/text/textproc"
)

// A saying is a statement of an answer with its citations.
type saying struct {
	text  string
	about string // what the statement is a part of: the line that introduces a list
	marks []mark
}

const (
	// minSaying is the number of terms of a text that is a statement by itself. A shorter one,
	// such as "and", takes the rest of its sentence.
	minSaying = 3
	// maxSaying is the largest number of sentences before a citation that it is for.
	maxSaying = 3
	// minUncited is the number of terms of the shortest sentence that needs a reference.
	minUncited = 4
)

var (
	// lineMarker begins a line of Markdown that is an item, a quote or a heading.
	lineMarker = regexp.MustCompile(`^\s*(?:(?:[-*+•>]|\d{1,3}[.)]|#{1,6})\s+)+`)
	// headingLine matches a heading, also one in bold.
	headingLine = regexp.MustCompile(`^\s*(?:#{1,6}\s.*|(?:[-*+]\s+)?\*\*[^*]+\*\*:?\s*)$`)
	// loneMarks matches the beginning of a line that only continues the one before it by citations.
	loneMarks = regexp.MustCompile(`\s*\n\s*\[(\d)`)
	// sentenceEnd matches the end of a sentence within a line.
	sentenceEnd = regexp.MustCompile(`[.!?…。！？]["'”’)]*\s+`)
)

// sayings returns the statements of an answer with their citations, in order, and the sentences
// that have none. Headings, questions, introductions of lists, and sentences on what is not said
// need none.
func sayings(answer string) (said []saying, uncited []string) {
	about := ""
	for line := range strings.Lines(loneMarks.ReplaceAllString(answer, " [$1")) {
		if !textproc.IsListItem(line) && strings.TrimSpace(line) != "" {
			about = ""
			if plain := strings.TrimSpace(StripNumbers(line)); strings.HasSuffix(strings.TrimRight(plain, "*"), ":") {
				about = lineMarker.ReplaceAllString(plain, "")
			}
		}
		at := 0
		for _, group := range numberGroups(line) {
			marks := marksIn(line[group.Start:group.End])
			statement, before := sayingBefore(line, at, group.Start)
			uncited = append(uncited, uncitedIn(before)...)
			switch {
			case statement != "":
				said = append(said, saying{statement, about, marks})
			case len(said) > 0:
				said[len(said)-1].marks = append(said[len(said)-1].marks, marks...)
			}
			at = group.End
		}
		if !headingLine.MatchString(line) {
			uncited = append(uncited, uncitedIn(line[at:])...)
		}
	}
	return said, uncited
}

// sayingBefore returns the statement that ends at a byte of a line, where from is the end of the
// citations before it, and the sentences between them that are too far from its citation. Both
// are "" if no word is between them.
func sayingBefore(line string, from, to int) (statement, before string) {
	own := cleanSaying(line[from:to])
	if own == "" {
		return "", ""
	}
	if from > 0 && len(textproc.Terms(own)) < minSaying {
		start := 0
		for _, m := range sentenceEnd.FindAllStringIndex(line[:to], -1) {
			if m[1] < to && strings.TrimSpace(line[m[1]:to]) != "" {
				start = m[1]
			}
		}
		own = cleanSaying(line[start:to])
	}
	if spans := textproc.Sentences(own); len(spans) > maxSaying {
		first := spans[len(spans)-maxSaying].Start
		own, before = own[first:], own[:first]
	}
	return own, before
}

// cleanSaying returns a text without citations, marks of Markdown, and signs at its ends.
func cleanSaying(s string) string {
	s = lineMarker.ReplaceAllString(StripNumbers(s), "")
	s = strings.ReplaceAll(text.OneLine(s), "**", "")
	return strings.ReplaceAll(strings.Trim(strings.TrimLeft(s, " .,;:|)"), " |"), " | ", ", ") // of the cells of a table
}

// uncitedIn returns the sentences of a text without citations that state something.
func uncitedIn(s string) []string {
	var out []string
	for _, sentence := range sentencesOf(s) {
		if states(sentence) && len(textproc.Terms(sentence)) >= minUncited {
			out = append(out, sentence)
		}
	}
	return out
}

// sentencesOf returns the sentences of a text without citations and marks of Markdown.
func sentencesOf(s string) []string {
	var out []string
	s = cleanSaying(s)
	for _, at := range textproc.Sentences(s) {
		if sentence := strings.TrimSpace(s[at.Start:at.End]); sentence != "" {
			out = append(out, sentence)
		}
	}
	return out
}

// states reports whether a sentence states something: introductions, questions and sentences on what
// is not said do not.
func states(sentence string) bool {
	return !strings.HasSuffix(sentence, ":") && !isQuestion(sentence) && !isNotSaid(sentence)
}

// speech begins a speech after other words of its sentence.
var speech = regexp.MustCompile(`[,:;]\s+['"“‘«„‚]\pL`)

// isQuestion reports whether a sentence asks something. One that reports a question as speech
// states who asked it, or that nobody did.
func isQuestion(sentence string) bool {
	end := strings.TrimRight(sentence, " \t\r\n\"'”’»)*_")
	if !strings.HasSuffix(end, "?") && !strings.HasSuffix(end, "？") {
		return false
	}
	at := speech.FindStringIndex(sentence)
	return at == nil || len(textproc.Terms(sentence[:at[0]])) < minSaying
}

// AnswerSentences returns the sentences of an answer in their order, headings included, without
// citations and marks of Markdown.
func AnswerSentences(answer string) []string {
	var out []string
	for line := range strings.Lines(loneMarks.ReplaceAllString(answer, " [$1")) {
		out = append(out, sentencesOf(line)...)
	}
	return out
}

// Statements returns the sentences of an answer that state something: those with a citation, and
// those that need one. Each occurs once.
func Statements(answer string) []string {
	said, uncited := sayings(answer)
	stated := map[string]bool{}
	for _, s := range said {
		for _, sentence := range sentencesOf(s.text) {
			stated[sentence] = states(sentence)
		}
	}
	for _, sentence := range uncited {
		stated[sentence] = true
	}
	var out []string
	for _, sentence := range AnswerSentences(answer) {
		if stated[sentence] && !slices.Contains(out, sentence) {
			out = append(out, sentence)
		}
	}
	return out
}
