package extract

import (
	"context"
	"errors"
	"slices"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/prompts"
)

// glean asks for what was missed until nothing is missing or Rounds is reached. A gleaning
// that fails is counted and the records found so far are kept. Only a spent budget is an
// error, since the next run can pay for the gleaning, and an answer that was cut off,
// unless the text cannot be divided any more.
func (m *Model) glean(ctx context.Context, a recordTask, t *conversation, x *graph.Extraction) error {
	for range m.Rounds() {
		more, err := m.askMissing(ctx, a, t)
		added := addMissing(x, more)
		if errors.Is(err, llm.ErrBudget) || errors.Is(err, llm.ErrTruncated) && !a.last {
			return err
		}
		if err != nil && !isRefusal(err) { // prose means that nothing is missing
			m.tally.failedGleanings.Add(1)
			return nil
		}
		if !added {
			return nil
		}
	}
	return nil
}

// askMissing asks for the records that are missing in the answers so far.
func (m *Model) askMissing(ctx context.Context, a recordTask, t *conversation) (graph.Extraction, error) {
	prompt := prompts.GleanList
	if m.asksFirst() {
		missed, listed, err := m.askMissed(ctx, a, t)
		if err != nil || !missed {
			return listed, err
		}
		prompt = prompts.Glean
	}
	if err := m.addPrompt(t, prompt, a); err != nil {
		return graph.Extraction{}, err
	}
	return m.ask(ctx, t, a.last, nil)
}

// addPrompt adds a gleaning prompt to the conversation.
func (m *Model) addPrompt(t *conversation, prompt string, a recordTask) error {
	p, err := m.Prompts.Get(prompt)
	if err != nil {
		return err
	}
	values := prompts.Values{"what": a.what}
	if prompt == prompts.GleanList {
		if values["empty"] = "empty lists"; t.schema == nil {
			values["empty"] = "<|COMPLETE|> alone"
		}
	}
	_, user := p.Render(values)
	t.messages = append(t.messages, llm.Message{Role: "user", Content: user})
	return nil
}

// askMissed asks the model whether it missed something. A model that lists what is missing
// instead of saying so has answered both questions.
func (m *Model) askMissed(ctx context.Context, a recordTask, t *conversation) (missed bool, listed graph.Extraction, err error) {
	if err := m.addPrompt(t, prompts.GleanAsk, a); err != nil {
		return false, listed, err
	}
	req := llm.Request{Task: TaskExtract, Messages: slices.Clone(t.messages)}
	req.BiasYesNo(m.YesNo)
	res, err := m.Chat.Chat(ctx, req)
	if err != nil {
		return false, listed, err
	}
	t.messages = append(t.messages, llm.Message{Role: "assistant", Content: res.Text})
	if listed = parseAny(res.Text); !isEmpty(listed) {
		return false, listed, nil
	}
	missed, _ = llm.ParseYesNo(res.Text)
	return missed, listed, nil
}
