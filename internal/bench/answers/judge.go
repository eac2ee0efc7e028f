package main

import (
	"regexp"
	"slices"
	"strings"
)

// A verdict is how good an answer is.
type verdict string

const (
	right           verdict = "right"
	partly          verdict = "partly" // it has a part of what must be there, or has it late
	wrong           verdict = "wrong"
	declinedWrongly verdict = "declined wrongly"
	declined        verdict = "declined" // nothing in the documents answers the question
	answeredWrongly verdict = "answered wrongly"
)

// An answer is what `query --json` prints of it. One without references declines.
type answer struct {
	Text       string            `json:"answer"`
	References []struct{ N int } `json:"references"`
}

// A result is an answer with its verdict.
type result struct {
	question
	suite   string
	answer  answer
	verdict verdict
}

// firstStatements is how many statements a reader looks at for one fact.
const firstStatements = 3

// longKinds are the kinds of questions whose answer is more than one fact.
var longKinds = []string{"list", "how", "why", "overview"}

// smalltalk is the kind of questions such as "thanks": an answer without sources is right.
const smalltalk = "smalltalk"

// judge compares an answer with what a right one must have.
func judge(q question, a answer) verdict {
	declines := len(a.References) == 0
	switch {
	case q.Kind == smalltalk:
		return map[bool]verdict{true: right, false: wrong}[declines]
	case len(q.Must) == 0:
		return map[bool]verdict{true: declined, false: answeredWrongly}[declines]
	case declines:
		return declinedWrongly
	}
	statements := statementsOf(a.Text)
	first := statements[:min(firstStatements, len(statements))]
	if slices.Contains(longKinds, q.Kind) {
		first = statements
	}
	switch {
	case has(statements[:1], q.Not) > 0:
		return wrong
	case has(first, q.Must) == len(q.Must):
		return right
	case has(statements, q.Must) > 0:
		return partly
	}
	return wrong
}

// statementsOf returns the lines of an answer in Markdown without marks and citations.
func statementsOf(text string) []string {
	var out []string
	for line := range strings.Lines(citations.ReplaceAllString(text, "")) {
		if line = strings.Trim(strings.ReplaceAll(line, "**", ""), "- \n"); line != "" {
			out = append(out, line)
		}
	}
	if len(out) == 0 {
		return []string{""}
	}
	return out
}

var citations = regexp.MustCompile(`(?: ?\[\d+\])+`)

// has returns how many of the patterns are found in the lines.
func has(lines, patterns []string) int {
	text, n := strings.Join(lines, "\n"), 0
	for _, p := range patterns {
		if len(p) > 1 && strings.HasPrefix(p, "/") && strings.HasSuffix(p, "/") {
			p = p[1 : len(p)-1]
		} else {
			p = regexp.QuoteMeta(p)
		}
		if regexp.MustCompile(`(?i)` + p).MatchString(text) {
			n++
		}
	}
	return n
}
