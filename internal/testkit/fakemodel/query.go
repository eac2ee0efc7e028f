package fakemodel

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// sentenceNumber matches a line that begins with the number of a sentence.
var sentenceNumber = regexp.MustCompile(`(?m)^(?:\d+\.(\d+) )?(.*)$`)

var recordHead = regexp.MustCompile(`(?m)^(Report|Source|Entity|Relationship|Claim) (\d+): (.*)$`)

// A record is a numbered record of a context, such as "Report 3: ...".
type record struct {
	kind, n  string // as in [Data: kind (n)]
	text     string // the sentence that shares the most words with the question
	sentence string // its number in the record, "" without one
	shared   int    // how many they are
}

// recordsOf returns the records of a context, those that share the most words with
// the question first.
func recordsOf(question, context string) []record {
	var out []record
	heads := recordHead.FindAllStringSubmatchIndex(context, -1)
	for i, h := range heads {
		end := len(context)
		if i+1 < len(heads) {
			end = heads[i+1][0]
		}
		r := record{kind: plural(context[h[2]:h[3]]), n: context[h[4]:h[5]]}
		for _, line := range sentenceNumber.FindAllStringSubmatch(context[h[1]:end], -1) {
			for _, s := range sentences(line[2]) {
				if n := sharedWords(question, s); n > r.shared {
					r.shared, r.text, r.sentence = n, s, line[1]
				}
			}
		}
		out = append(out, r)
	}
	slices.SortStableFunc(out, func(a, b record) int { return b.shared - a.shared })
	return out
}

// route chooses the method global for questions about themes, else local.
func route(question string) string {
	method := "local"
	if strings.Contains(question, "theme") {
		method = "global"
	}
	return marshal(map[string]string{"method": method, "why": "the model says so"})
}

// keywords returns the names in a question, one of them twice, and the theme that the
// relationships of this model have.
func keywords(question string) string {
	low := append([]string{}, names(question)...)
	return "```json\n" + marshal(map[string][]string{"low": append(low, low...), "high": {" meeting "}}) + "\n```"
}

// passages returns a passage that holds the words of a question, and an empty one.
func passages(question string) string {
	return "```json\n" + marshal(map[string][]string{"passages": {"The letters say:\n" + strings.TrimSuffix(question, "?") + ".", " "}}) + "\n```"
}

// refine asks for each name in a question on its own.
func refine(question string) string {
	kind, questions := "none", []string{}
	for _, name := range names(question) {
		kind, questions = "decompose", append(questions, "What is said of "+name+"?")
	}
	return marshal(map[string]any{"kind": kind, "questions": questions})
}

// facts chooses the relationships that share a word with the question, and one that does not
// exist.
func facts(question, context string) string {
	question, _, _ = strings.Cut(question, "\n")
	chosen := []int{99}
	for i, line := range strings.Split(context, "\n") {
		if sharedWords(question, line) > 0 {
			chosen = append(chosen, i+1)
		}
	}
	return "```json\n" + marshal(map[string][]int{"facts": chosen}) + "\n```"
}

// answerTypes expects the first of the types, and one that does not exist, and finds the names
// in a question.
func answerTypes(question, types string) string {
	first, _, _ := strings.Cut(types, "\n")
	return "```json\n" + marshal(map[string][]string{"types": {strings.ToUpper(first), "unicorn"}, "entities": append([]string{}, names(question)...)}) + "\n```"
}

// relevance finds that a passage helps if one of its sentences shares two words with the
// question, or all that it has.
func relevance(question, passage string) string {
	enough := min(2, sharedWords(question, question))
	for _, s := range sentences(passage) {
		if n := sharedWords(question, s); n > 0 && n >= enough {
			return "**Yes**, it does."
		}
	}
	return "No."
}

// plural returns the kind of a citation: "Entities" for "Entity".
func plural(kind string) string {
	if stem, ok := strings.CutSuffix(kind, "y"); ok {
		return stem + "ies"
	}
	return kind + "s"
}

// mapAnswer returns points in a code block, as models often do.
func mapAnswer(question, context string) string {
	return "```json\n" + marshal(map[string]any{"points": points(question, context)}) + "\n```"
}

// points returns a point for each record that shares a word with the question.
func points(question, context string) []map[string]any {
	list := []map[string]any{}
	for _, r := range recordsOf(question, context) {
		if r.shared > 0 {
			list = append(list, map[string]any{"description": fmt.Sprintf("%s [Data: %s (%s)]", r.text, r.kind, r.n), "score": min(100, 20*r.shared)})
		}
	}
	return list
}

var thirdPerson = regexp.MustCompile(`(?i)\b(?:he|she|they|it)\b`)

// rewrite replaces pronouns in the question by the first name of the conversation.
func rewrite(question, conversation string) string {
	for _, name := range names(conversation) {
		if name != "Question" && name != "Answer" {
			question = thirdPerson.ReplaceAllLiteralString(question, name)
			break
		}
	}
	return "Standalone question: \"" + question + "\"\n\nIt names whom it is about."
}

// reduce lists the first five points, and a statement with a citation that does not
// exist.
func reduce(points string) string {
	var b strings.Builder
	for i, p := range strings.Split(points, "\n\n") {
		if _, text, ok := strings.Cut(p, ": "); ok && i < 5 {
			fmt.Fprintf(&b, "- %s\n", text)
		}
	}
	return b.String() + "- This has no ground [Data: Reports (777)].\n"
}

// answer returns the best sentences of the first three records, with citations.
func answer(question, context string) string {
	var b strings.Builder
	for i, r := range recordsOf(question, context) {
		if r.shared > 0 && i < 3 {
			fmt.Fprintf(&b, "%s [Data: %s (%s)]\n", r.text, r.kind, r.n)
		}
	}
	return b.String()
}

// ratings rates reports by the words they share with the question. Report numbers
// are strings, as some models write them.
func ratings(question, context string) string {
	list := []map[string]any{}
	for _, r := range recordsOf(question, context) {
		list = append(list, map[string]any{"report": r.n, "score": min(5, 2*r.shared)})
	}
	return marshal(map[string]any{"ratings": list})
}

var pair = regexp.MustCompile(`(?m)^Pair (\d+)\nStatement: (.*)\nQuote: (.*)$`)

// verdicts judges pairs by the words that a quote shares with its statement.
func verdicts(context string) string {
	list := []map[string]any{}
	for _, m := range pair.FindAllStringSubmatch(context, -1) {
		n, err := strconv.Atoi(m[1])
		if err != nil {
			continue
		}
		support := 0
		switch shared, all := sharedWords(m[2], m[3]), sharedWords(m[2], m[2]); {
		case 3*shared >= 2*all:
			support = 2
		case shared > 0:
			support = 1
		}
		list = append(list, map[string]any{"pair": n, "support": support})
	}
	return marshal(map[string]any{"pairs": list})
}
