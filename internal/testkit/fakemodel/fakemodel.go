// Package fakemodel is a model for tests. Its Handler answers the prompts of package
// prompts by simple rules through an llmtest server, the same way on every run. It
// recognizes the task by the text of the prompt. Its answers are as untidy as
// answers of real models: wrong citations, code blocks, numbers in quotes.
package fakemodel

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/text/tokens"
	"github.com/neorag/neorag/prompts"
)

// The tasks that are not the name of a prompt.
const (
	Unknown = "unknown"
	Embed   = "embed"
)

// Task returns the name of the prompt that a request was made with.
func Task(r llmtest.Request) string {
	if r.Embeds() {
		return Embed
	}
	if len(r.Messages) == 0 {
		return Unknown
	}
	for _, name := range []string{prompts.GleanList, prompts.GleanAsk, prompts.Glean, prompts.QueriesMore} {
		if p, err := (prompts.Set{}).Get(name); err == nil && strings.HasPrefix(lastQuestion(r), fixedStart(p.User)) {
			return name
		}
	}
	for _, name := range []string{prompts.Extract, prompts.Claims, prompts.Summarise, prompts.SameNames, prompts.Report, prompts.Tune, prompts.Map, prompts.Reduce, prompts.Answer, prompts.Rate, prompts.Drift, prompts.DriftFollow, prompts.Local, prompts.Route, prompts.Rewrite, prompts.Keywords, prompts.Support, prompts.Queries, prompts.HyDE, prompts.Refine, prompts.Facts, prompts.Relevance, prompts.AnswerTypes, prompts.CorpusDescription, prompts.Personas, prompts.PersonaTasks, prompts.PersonaQuestions, prompts.HeadToHead, prompts.AnswerClaims, prompts.AnswerCorrect, prompts.AnswerEvidence, prompts.CheckQuotes} {
		if p, err := (prompts.Set{}).Get(name); err == nil && strings.HasPrefix(r.Messages[0].Content, fixedStart(p.System)) {
			return name
		}
	}
	return Unknown
}

// lastQuestion returns the last message of the user that does not complain about an answer.
func lastQuestion(r llmtest.Request) string {
	for _, m := range slices.Backward(r.Messages) {
		if m.Role == "user" && !strings.HasPrefix(m.Content, "That answer could not be used") {
			return m.Content
		}
	}
	return ""
}

// fixedStart returns a template up to its first placeholder.
func fixedStart(template string) string {
	text, _, _ := strings.Cut(template, "{{")
	return strings.TrimSpace(text)
}

// Material returns the text between the fences of the first user message that has
// one, or "".
func Material(r llmtest.Request) string {
	for _, m := range r.Messages {
		marks := fence.FindAllString(m.Content, -1)
		if m.Role != "user" || len(marks) < 3 {
			continue
		}
		// A document can contain something that looks like a fence. The fence of
		// the prompt comes last.
		parts := strings.Split(m.Content, marks[len(marks)-1])
		if len(parts) >= 4 {
			return strings.TrimSpace(parts[len(parts)-2])
		}
	}
	return ""
}

var fence = regexp.MustCompile(`<<< [0-9a-f]{12} >>>`)

// Handler answers a request of any task, and refuses an unknown prompt with status
// 400.
func Handler(r llmtest.Request) llmtest.Reply {
	switch task := Task(r); task {
	case prompts.Extract, prompts.Claims, prompts.GleanList, prompts.Glean:
		return llmtest.Reply{Text: extracted(r, task == prompts.GleanList || task == prompts.Glean)}
	case prompts.GleanAsk:
		if firstTask(r) == prompts.Claims {
			return llmtest.Reply{Text: "No."}
		}
		return llmtest.Reply{Text: "**Yes**, some were."}
	case prompts.Summarise:
		return llmtest.Reply{Text: summary(Material(r))}
	case prompts.SameNames:
		return llmtest.Reply{Text: sameNames(Material(r))}
	case prompts.Report:
		return llmtest.Reply{Text: report(Material(r))}
	case prompts.Tune:
		return llmtest.Reply{Text: proposal(Material(r))}
	case prompts.Map:
		return llmtest.Reply{Text: mapAnswer(question(r), Material(r))}
	case prompts.Support:
		return llmtest.Reply{Text: verdicts(Material(r))}
	case prompts.HeadToHead, prompts.CorpusDescription, prompts.Personas, prompts.PersonaTasks, prompts.PersonaQuestions,
		prompts.AnswerClaims, prompts.AnswerCorrect, prompts.AnswerEvidence:
		return llmtest.Reply{Text: evaluation(r, task)}
	case prompts.CheckQuotes:
		return llmtest.Reply{Text: checkedQuotes(Material(r))}
	case prompts.Rate:
		return llmtest.Reply{Text: ratings(question(r), Material(r))}
	case prompts.Drift, prompts.DriftFollow:
		return llmtest.Reply{Text: drift(question(r), r.Last(), Material(r))}
	case prompts.Reduce:
		return llmtest.Reply{Text: reduce(Material(r))}
	case prompts.Route:
		return llmtest.Reply{Text: route(Material(r))}
	case prompts.Keywords:
		return llmtest.Reply{Text: keywords(Material(r))}
	case prompts.HyDE:
		return llmtest.Reply{Text: passages(Material(r))}
	case prompts.Refine:
		return llmtest.Reply{Text: refine(Material(r))}
	case prompts.Facts:
		return llmtest.Reply{Text: facts(r.Messages[1].Content, Material(r))}
	case prompts.AnswerTypes:
		return llmtest.Reply{Text: answerTypes(question(r), Material(r))}
	case prompts.Relevance:
		return llmtest.Reply{Text: relevance(question(r), Material(r))}
	case prompts.Answer, prompts.Local:
		return llmtest.Reply{Text: answer(question(r), Material(r))}
	case prompts.Queries, prompts.QueriesMore:
		return llmtest.Reply{Text: pairs(Material(r), task == prompts.QueriesMore)}
	case prompts.Rewrite:
		return llmtest.Reply{Text: rewrite(question(r), Material(r))}
	}
	return llmtest.Reply{Status: 400, Message: "the fake model does not know this prompt"}
}

// Counted returns Handler with the usage that a server would report.
func Counted() (func(llmtest.Request) llmtest.Reply, error) {
	counter, err := tokens.Get("")
	if err != nil {
		return nil, err
	}
	return func(r llmtest.Request) llmtest.Reply {
		reply := Handler(r)
		reply.TokensOut = int64(counter.Count(reply.Text))
		for _, m := range r.Messages {
			reply.TokensIn += int64(counter.Count(m.Content))
		}
		return reply
	}, nil
}

// firstTask returns the task that a conversation started with. A gleaning continues
// an extraction or a search for claims.
func firstTask(r llmtest.Request) string {
	first := r
	first.Messages = r.Messages[:1]
	return Task(first)
}

// question returns the question in a prompt, or "".
func question(r llmtest.Request) string {
	for _, m := range r.Messages {
		if _, rest, ok := strings.Cut(m.Content, "The question: "); ok {
			line, _, _ := strings.Cut(rest, "\n")
			return line
		}
	}
	return ""
}

func marshal(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return "{}"
	}
	return string(b)
}
