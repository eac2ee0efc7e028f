package fakemodel

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/prompts"
)

// Literal answers as Handler does, but obeys a prompt to the letter: it cites only the kind of
// records and the form of numbers that the example of the prompt shows. It never repeats a
// sentence, but says it in other words.
func Literal(r llmtest.Request) llmtest.Reply {
	task := Task(r)
	if len(r.Messages) == 0 {
		return Handler(r)
	}
	like := exampleOf(r.Messages[0].Content)
	switch task {
	case prompts.Report:
		return llmtest.Reply{Text: like.report(Material(r))}
	case prompts.Map:
		return llmtest.Reply{Text: marshal(map[string]any{"points": like.points(question(r), Material(r))})}
	case prompts.Drift, prompts.DriftFollow:
		text := drift(question(r), r.Last(), Material(r))
		_, followUps, _ := strings.Cut(text, `"follow_ups":`)
		followUps, _, _ = strings.Cut(followUps, `,"points":`)
		points := marshal(like.points(question(r), Material(r)))
		return llmtest.Reply{Text: `{"points":` + points + `,"follow_ups":` + strings.TrimSuffix(followUps, "}") + "}"}
	case prompts.Answer, prompts.Local:
		var b strings.Builder
		for i, p := range like.points(question(r), Material(r)) {
			if i < 3 {
				fmt.Fprintf(&b, "%s\n", p["description"])
			}
		}
		return llmtest.Reply{Text: b.String()}
	case prompts.Reduce:
		var b strings.Builder
		for i, p := range strings.Split(Material(r), "\n\n") {
			if _, text, ok := strings.Cut(p, ": "); ok && i < 5 {
				said, cited, _ := strings.Cut(text, " [Data: ")
				fmt.Fprintf(&b, "%s [Data: %s\n", reword(said), cited)
			}
		}
		return llmtest.Reply{Text: b.String()}
	}
	return Handler(r)
}

// An example is the form of the citation that a prompt shows.
type example struct {
	kind      string // such as "Sources"
	sentences bool   // numbers have the form 2.1
}

var citationExample = regexp.MustCompile(`\[Data: ([A-Z]\pL+) \((\d+(?:\.\d+)?), `)

// exampleOf returns the example in a prompt.
func exampleOf(prompt string) example {
	m := citationExample.FindStringSubmatch(prompt)
	if m == nil {
		return example{}
	}
	return example{m[1], strings.Contains(m[2], ".")}
}

// points returns a point for each record of the kind that shares a word with the question.
func (e example) points(question, context string) []map[string]any {
	list := []map[string]any{}
	for _, r := range recordsOf(question, context) {
		if r.kind != e.kind || r.shared == 0 || e.sentences && r.sentence == "" {
			continue
		}
		n := r.n
		if e.sentences {
			n += "." + r.sentence
		}
		list = append(list, map[string]any{"description": fmt.Sprintf("%s [Data: %s (%s)]", reword(r.text), r.kind, n), "score": min(100, 20*r.shared)})
	}
	return list
}

// report returns a report with a finding for each of the first rows of the kind.
func (e example) report(context string) string {
	rows := rowsOf(context)[e.kind]
	title, _, _ := strings.Cut(append(rows, "Nothing")[0], "|")
	said := func(i int) string {
		cells := strings.Split(rows[i], "|")
		return fmt.Sprintf("%s [Data: %s (%d)]", reword(cells[len(cells)-1]), e.kind, i+1)
	}
	findings := []map[string]string{}
	for i := range rows[:min(3, len(rows))] {
		findings = append(findings, map[string]string{"summary": "Something happens here", "explanation": said(i)})
	}
	summary := "The records are empty."
	if len(rows) > 0 {
		summary = said(0)
	}
	return marshal(map[string]any{"title": "About " + title, "summary": summary, "rating": 5, "rating_explanation": "It is in the middle.", "findings": findings})
}

// reword says a sentence in other words: its second half first, without its smallest words.
func reword(sentence string) string {
	words := strings.Fields(strings.TrimRight(sentence, ". "))
	words = slices.DeleteFunc(words, func(w string) bool { return slices.Contains(commonWords, strings.ToLower(strings.Trim(w, ",;:'"))) })
	half := len(words) / 2
	return "It is so: " + strings.Join(words[half:], " ") + "; and " + strings.Join(words[:half], " ") + "."
}
