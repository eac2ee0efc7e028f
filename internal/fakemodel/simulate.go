// Package fakemodel is a model for tests: it answers our prompts by simple rules,
// the same on every run, through an llmtest server. It knows a task by the
// prompt that it is asked with. What it writes is untidy where models are.
package fakemodel

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/prompts"
)

// The tasks beside those that have the name of a prompt.
const (
	Unknown = "unknown"
	Embed   = "embed"
)

// Task names the prompt that a request was made with.
func Task(r llmtest.Request) string {
	if r.Embeds() {
		return Embed
	}
	if len(r.Messages) == 0 {
		return Unknown
	}
	for _, name := range []string{prompts.GleanAsk, prompts.Glean} {
		if p, err := (prompts.Set{}).Get(name); err == nil && strings.HasPrefix(r.Last(), before(p.User)) {
			return name
		}
	}
	for _, name := range []string{prompts.Extract, prompts.Claims, prompts.Summarise, prompts.Report, prompts.Map, prompts.Reduce, prompts.Answer, prompts.Rate, prompts.Drift, prompts.DriftFollow, prompts.Local, prompts.Route, prompts.Rewrite} {
		if p, err := (prompts.Set{}).Get(name); err == nil && strings.HasPrefix(r.Messages[0].Content, before(p.System)) {
			return name
		}
	}
	return Unknown
}

// before is a template up to its first placeholder.
func before(template string) string {
	text, _, _ := strings.Cut(template, "{{")
	return strings.TrimSpace(text)
}

// Material is what stands between the fences of a request's first question.
func Material(r llmtest.Request) string {
	for _, m := range r.Messages {
		marks := fence.FindAllString(m.Content, -1)
		if m.Role != "user" || len(marks) < 3 {
			continue
		}
		// A document may hold what looks like a mark: that of the prompt comes last.
		parts := strings.Split(m.Content, marks[len(marks)-1])
		if len(parts) >= 4 {
			return strings.TrimSpace(parts[len(parts)-2])
		}
	}
	return ""
}

var fence = regexp.MustCompile(`<<< [0-9a-f]{12} >>>`)

// Handler answers every task.
func Handler(r llmtest.Request) llmtest.Reply {
	switch task := Task(r); task {
	case prompts.Extract, prompts.Claims, prompts.Glean:
		return llmtest.Reply{Text: records(r, task == prompts.Glean)}
	case prompts.GleanAsk:
		if about(r) == prompts.Claims {
			return llmtest.Reply{Text: "No."}
		}
		return llmtest.Reply{Text: "**Yes**, some were."}
	case prompts.Summarise:
		return llmtest.Reply{Text: summary(Material(r))}
	case prompts.Report:
		return llmtest.Reply{Text: report(Material(r))}
	case prompts.Map:
		return llmtest.Reply{Text: points(question(r), Material(r))}
	case prompts.Rate:
		return llmtest.Reply{Text: ratings(question(r), Material(r))}
	case prompts.Drift, prompts.DriftFollow:
		return llmtest.Reply{Text: explored(question(r), r.Last(), Material(r))}
	case prompts.Reduce:
		return llmtest.Reply{Text: reduced(Material(r))}
	case prompts.Route:
		return llmtest.Reply{Text: route(Material(r))}
	case prompts.Answer, prompts.Local:
		return llmtest.Reply{Text: answered(question(r), Material(r))}
	case prompts.Rewrite:
		return llmtest.Reply{Text: rewritten(question(r), Material(r))}
	}
	return llmtest.Reply{Status: 400, Message: "the simulated model does not know this prompt"}
}

// about is the task of the conversation that a gleaning belongs to.
func about(r llmtest.Request) string {
	first := r
	first.Messages = r.Messages[:1]
	return Task(first)
}

func question(r llmtest.Request) string {
	for _, m := range r.Messages {
		if _, rest, ok := strings.Cut(m.Content, "The question: "); ok {
			line, _, _ := strings.Cut(rest, "\n")
			return line
		}
	}
	return ""
}

func summary(descriptions string) string {
	var out []string
	for line := range strings.Lines(descriptions) {
		s, _, _ := strings.Cut(strings.TrimSpace(line), ". ")
		if out = append(out, strings.TrimSuffix(s, ".")+"."); len(out) == 3 {
			break
		}
	}
	return "<think>Three will do.</think>In short: " + strings.Join(out, " ")
}

// report cites the first rows of the context, a number that is not there, and
// has a field that nobody asked for.
func report(context string) string {
	rows := map[string][]string{}
	section := ""
	for line := range strings.Lines(context) {
		line = strings.TrimSpace(line)
		if id, rest, ok := strings.Cut(line, "|"); ok && id != "id" {
			rows[section] = append(rows[section], rest)
		} else if slices.Contains([]string{"Entities", "Relationships", "Claims", "Reports"}, line) {
			section = line
		} else if strings.HasPrefix(line, "Report ") {
			rows["Reports"] = append(rows["Reports"], line)
		}
	}
	kind := "Entities"
	for _, k := range []string{"Reports", "Entities", "Relationships"} {
		if len(rows[k]) > 0 {
			kind = k
		}
	}
	title, _, _ := strings.Cut(append(rows[kind], "Nothing")[0], "|")
	var findings []map[string]string
	for i, row := range rows[kind][:min(3, len(rows[kind]))] {
		cells := strings.Split(row, "|")
		findings = append(findings, map[string]string{
			"summary":     cells[0],
			"explanation": fmt.Sprintf("%s [Data: %s (%d, 9999, +more)].", strings.TrimSuffix(cells[len(cells)-1], "."), kind, i+1),
		})
	}
	return marshal(map[string]any{
		"title": "About " + title, "summary": fmt.Sprintf("It is about %s [Data: %s (1)].", title, kind),
		"rating": "6.5", "rating_explanation": "It matters.", "findings": findings, "date_range": "1843",
	})
}

func marshal(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return "{}"
	}
	return string(b)
}

var numbered = regexp.MustCompile(`(?m)^(Report|Source|Entity|Relationship|Claim) (\d+): (.*)$`)

// record is a numbered record of a context: its head and its first sentences
// that share a word with the question.
type record struct {
	kind, n, text string
	shared        int
}

func recordsOf(question, context string) []record {
	var out []record
	heads := numbered.FindAllStringSubmatchIndex(context, -1)
	for i, h := range heads {
		end := len(context)
		if i+1 < len(heads) {
			end = heads[i+1][0]
		}
		r := record{kind: plural(context[h[2]:h[3]]), n: context[h[4]:h[5]]}
		for _, s := range sentences(context[h[1]:end]) {
			if n := shared(question, s); n > r.shared {
				r.shared, r.text = n, s
			}
		}
		out = append(out, r)
	}
	slices.SortStableFunc(out, func(a, b record) int { return b.shared - a.shared })
	return out
}

// route sends questions about themes to global, all others to local.
func route(question string) string {
	method := "local"
	if strings.Contains(question, "theme") {
		method = "global"
	}
	return marshal(map[string]string{"method": method, "why": "the model says so"})
}

func plural(kind string) string {
	if stem, ok := strings.CutSuffix(kind, "y"); ok {
		return stem + "ies"
	}
	return kind + "s"
}

func points(question, context string) string {
	return "```json\n" + marshal(map[string]any{"points": pointsOf(question, context)}) + "\n```"
}

func pointsOf(question, context string) []map[string]any {
	list := []map[string]any{}
	for _, r := range recordsOf(question, context) {
		if r.shared > 0 {
			list = append(list, map[string]any{"description": fmt.Sprintf("%s [Data: %s (%s)]", r.text, r.kind, r.n), "score": min(100, 20*r.shared)})
		}
	}
	return list
}

var thirdPerson = regexp.MustCompile(`(?i)\b(?:he|she|they|it)\b`)

// rewritten puts the first name of the conversation in for a pronoun.
func rewritten(question, conversation string) string {
	for _, name := range named(conversation) {
		if name != "Question" && name != "Answer" {
			question = thirdPerson.ReplaceAllLiteralString(question, name)
			break
		}
	}
	return "Standalone question: \"" + question + "\"\n\nIt names whom it is about."
}

func reduced(points string) string {
	var b strings.Builder
	for i, p := range strings.Split(points, "\n\n") {
		if _, text, ok := strings.Cut(p, ": "); ok && i < 5 {
			fmt.Fprintf(&b, "- %s\n", text)
		}
	}
	return b.String() + "- This has no ground [Data: Reports (777)].\n"
}

func answered(question, context string) string {
	var b strings.Builder
	for i, r := range recordsOf(question, context) {
		if r.shared > 0 && i < 3 {
			fmt.Fprintf(&b, "%s [Data: %s (%s)]\n", r.text, r.kind, r.n)
		}
	}
	return b.String()
}
