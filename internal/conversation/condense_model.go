package query

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/tokens"
	"github.com/neorag/neorag/prompts"
)

// A Turn is a question of a conversation with its answer.
type Turn struct {
	Question string `json:"question"`
	Asked    string `json:"asked,omitempty"` // as it stands alone, where that differs
	Answer   string `json:"answer"`
}

// alone is the question as it stands alone.
func (t Turn) alone() string {
	if t.Asked != "" {
		return t.Asked
	}
	return t.Question
}

// standalone is the question as it would be asked without the conversation, of
// which it tells: by the model, or by rules without one and where the model
// fails, which is noted.
func (e *Engine) standalone(ctx context.Context, q Question) (text string, notes []string, err error) {
	if len(q.History) == 0 {
		return q.Text, nil, nil
	}
	text = Condense(q.Text, q.History)
	if e.options.Model != nil {
		q.tell("rewriting", 0, 0)
		written, err := e.rewrite(ctx, q)
		if ctx.Err() != nil {
			return "", nil, ctx.Err()
		}
		if err == nil {
			text = written
		} else {
			line, _, _ := strings.Cut(err.Error(), "\n")
			notes = []string{"The question was understood by rules, since the model failed: " + line}
		}
	}
	if text != q.Text && q.OnRewrite != nil {
		q.OnRewrite(text)
	}
	return text, notes, nil
}

// rewrite asks the model that writes answers.
func (e *Engine) rewrite(ctx context.Context, q Question) (string, error) {
	p, err := e.options.Model.Prompts.Get(prompts.Rewrite)
	if err != nil {
		return "", err
	}
	counter, err := tokens.Get("")
	if err != nil {
		return "", err
	}
	system, user := p.Render(prompts.Values{"question": q.Text, "history": conversation(q.History, q.HistoryTokens, counter)})
	res, err := e.options.Model.Answer.Chat(ctx, llm.Request{
		Task: TaskRewrite, Messages: []llm.Message{{Role: "system", Content: system}, {Role: "user", Content: user}},
		Valid: func(text string) error { _, err := rewritten(text, q.Text); return err },
	})
	if err != nil {
		return "", fmt.Errorf("%s: %w", prompts.Rewrite, err)
	}
	return rewritten(res.Text, q.Text)
}

// mostGrowth is how many bytes longer a question may become.
const mostGrowth = 600

var questionHead = regexp.MustCompile(`(?i)^\**(?:[\w-]+ )?question:?\**:?\**\s+`)

// rewritten reads the model's line, without the quotes and the heading that
// models put around it. Something else than a question is an error.
func rewritten(text, question string) (string, error) {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	line = questionHead.ReplaceAllString(line, "")
	line = strings.Join(strings.Fields(strings.Trim(line, "\"“”*` \t\r")), " ")
	if line == "" || len(line) > len(question)+mostGrowth {
		return "", fmt.Errorf("the model wrote %d bytes, which is no question", len(line))
	}
	return line, nil
}

// conversation is the newest turns first, within a number of tokens. One answer
// takes at most half of what is left, so that older questions still fit.
func conversation(history []Turn, budget int, counter *tokens.Counter) string {
	var out []string
	for i := len(history) - 1; i >= 0 && budget > 0; i-- {
		question := "Question: " + counter.Cut(oneLine(history[i].alone()), budget)
		budget -= counter.Count(question)
		answer := counter.Cut(oneLine(referenceGroup.ReplaceAllString(history[i].Answer, "")), max(budget/2, 0))
		budget -= counter.Count(answer)
		out = append(out, question+"\nAnswer: "+strings.TrimRight(strings.ToValidUTF8(answer, ""), string(utf8.RuneError)))
	}
	return strings.Join(out, "\n\n")
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
