package main

import (
	"context"
	"strings"
)

const (
	question = "Who was the keeper of the lighthouse?"
	sentence = "Ingrid Solberg was the keeper of the lighthouse from 1902 to 1931"
)

// asks returns the arguments that ask about the corpus of the cases.
func (t *trial) asks(baseURL string, more ...string) []string {
	return append([]string{"query", "--corpus", t.tales, "--method", "basic", "--base-url", baseURL, "--model", "m"}, append(more, question)...)
}

// streamCases are servers whose streams differ from OpenAI's. The answer is streamed only to a
// terminal.
func streamCases() (cases []testCase) {
	for _, modes := range []string{
		"minimax cumulative", "nullfinish nofinishdone emptyfinish", "nostream orgstream", "nosystem alternate",
		"sseplain nokind ndjson octet caps", "multiline",
		"parts message usageeach comments bom crlf nospace nodone emptychoices nullchoices nousage reason nostreamopt temp1", // were right before
	} {
		for mode := range strings.FieldsSeq(modes) {
			cases = append(cases, testCase{
				kind: "streams", name: mode, right: "the answer once, with its reference", needs: python,
				run: func(ctx context.Context, t *trial) (string, bool) {
					o := t.run(ctx, command{args: t.asks(t.answers.base(mode)), terminal: true})
					return o.brief(), o.code == 0 && answerOf(o.stdout) == sentence+" [1]." && strings.Contains(o.stdout, "lighthouse.md")
				},
			})
		}
	}
	for _, mode := range []string{"mid", "cut"} {
		cases = append(cases, testCase{
			kind: "streams", name: mode, right: "a stream that breaks off is an error", needs: python,
			run: func(ctx context.Context, t *trial) (string, bool) {
				o := t.run(ctx, command{args: t.asks(t.answers.base(mode)), terminal: true})
				return o.brief(), o.code == 1
			},
		})
	}
	return cases
}

// answerOf returns what is above the references, as one line.
func answerOf(text string) string {
	text, _, _ = strings.Cut(text, "\nReferences")
	return strings.Join(strings.Fields(text), " ")
}
