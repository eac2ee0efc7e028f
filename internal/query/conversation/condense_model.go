package conversation

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/query/cite"
	"github.com/neorag/neorag/internal/text"
	"github.com/neorag/neorag/internal/text/tokens"
	"github.com/neorag/neorag/prompts"
)

// TaskRewrite is the task by which calls that condense questions are counted.
const TaskRewrite = "rewrite"

// A Condenser condenses questions by a model.
type Condenser struct {
	Chat          llm.Chat
	Prompts       prompts.Set
	HistoryTokens int // of the history that the model reads
}

// Condense returns the question as it would be asked without the history, oldest turn first.
func (c Condenser) Condense(ctx context.Context, question string, history []Turn) (string, error) {
	p, err := c.Prompts.Get(prompts.Rewrite)
	if err != nil {
		return "", err
	}
	counter, err := tokens.Get("")
	if err != nil {
		return "", err
	}
	system, user := p.Render(prompts.Values{"question": question, "history": promptHistory(history, c.HistoryTokens, counter)})
	condensed, err := llm.Parsed(ctx, c.Chat, llm.Request{
		Task: TaskRewrite, Messages: []llm.Message{{Role: "system", Content: system}, {Role: "user", Content: user}},
	}, func(answer string) (string, error) { return parseCondensed(answer, question) })
	if err != nil {
		return "", fmt.Errorf("%s: %w", prompts.Rewrite, err)
	}
	return condensed, nil
}

// maxGrowth is the number of bytes by which a condensed question may be longer.
const maxGrowth = 600

// questionLabel matches a label before a question, such as "Here is the rewritten question:".
var questionLabel = regexp.MustCompile(`(?i)^[^:?]{0,60}\bquestion\**:\**\s+`)

// parseCondensed reads the first line of a model's answer that does not introduce the next
// one, without the quotes and the label that models put around it. Anything but a question is
// an error.
func parseCondensed(answer, question string) (string, error) {
	line := ""
	for next := range strings.Lines(answer) {
		next = questionLabel.ReplaceAllString(strings.TrimSpace(next), "")
		next = text.OneLine(strings.Trim(next, "\"“”*>` \t\r"))
		if next == "" || strings.HasSuffix(next, ":") || strings.HasSuffix(next, "：") {
			continue
		}
		words := len(strings.Fields(next))
		polite := words <= 2 && strings.ContainsAny(next[len(next)-1:], "!.")
		if !polite {
			line = next
			break
		}
		if words == 2 && line == "" {
			line = next // such as "Describe Scrooge.", unless a question follows
		}
	}
	if line == "" || len(line) > len(question)+maxGrowth {
		return "", fmt.Errorf("the model wrote %d bytes, which is not a question", len(line))
	}
	return line, nil
}

// promptHistory is the history for a prompt, newest turns first, within a number
// of tokens. One answer takes at most half of what is left, so that older
// questions still fit.
func promptHistory(history []Turn, budget int, counter *tokens.Counter) string {
	var out []string
	for i := len(history) - 1; i >= 0 && budget > 0; i-- {
		question := "Question: " + counter.Cut(text.OneLine(history[i].condensed()), budget)
		budget -= counter.Count(question)
		answer := counter.Cut(text.OneLine(cite.StripNumbers(history[i].Answer)), max(budget/2, 0))
		budget -= counter.Count(answer)
		out = append(out, question+"\nAnswer: "+strings.TrimRight(strings.ToValidUTF8(answer, ""), string(utf8.RuneError)))
	}
	return strings.Join(out, "\n\n")
}
