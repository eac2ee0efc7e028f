package querygen

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/prompts"
)

// modelVersion changes when the same model answers give other pairs.
const modelVersion = "1"

// TaskQueries is the task under which calls are counted.
const TaskQueries = "queries"

// A Model makes pairs with a language model: one call for a text, and one more if fewer pairs
// are valid than were asked for.
type Model struct {
	Options

	Chat    llm.Chat
	Prompts prompts.Set
}

// Fingerprint covers everything that affects the pairs of a text.
func (m *Model) Fingerprint() string {
	return graph.Hash("model", modelVersion, llm.Identity(m.Chat), m.Prompts.Fingerprint(prompts.Queries, prompts.QueriesMore), m.fingerprint())
}

// Pairs returns the pairs of a text in the order of the model. If the second call fails, the
// pairs of the first one are returned; the budget being spent is an error.
func (m *Model) Pairs(ctx context.Context, chunk string) ([]QAPair, error) {
	p, err := m.Prompts.Get(prompts.Queries)
	if err != nil {
		return nil, err
	}
	system, user := p.Render(prompts.Values{"count": strconv.Itoa(m.count()), "text": chunk})
	messages := []llm.Message{{Role: "system", Content: system}, {Role: "user", Content: user}}
	found := newList(m.count())
	answer, err := m.ask(ctx, messages, p.Schema, found)
	if err != nil || found.full() {
		return found.pairs, err
	}
	next, err := m.Prompts.Get(prompts.QueriesMore)
	if err != nil {
		return nil, err
	}
	_, more := next.Render(prompts.Values{"have": strconv.Itoa(len(found.pairs)), "missing": strconv.Itoa(m.count() - len(found.pairs))})
	messages = append(messages, llm.Message{Role: "assistant", Content: answer}, llm.Message{Role: "user", Content: more})
	if _, err := m.ask(ctx, messages, p.Schema, found); err != nil && (len(found.pairs) == 0 || ctx.Err() != nil) {
		return nil, err
	}
	return found.pairs, ctx.Err()
}

// ask adds the valid pairs of an answer to found, and returns the answer.
func (m *Model) ask(ctx context.Context, messages []llm.Message, schema json.RawMessage, found *list) (string, error) {
	res, err := m.Chat.Chat(ctx, llm.Request{
		Task: TaskQueries, Messages: messages,
		Schema: &llm.Schema{Name: prompts.Queries, JSON: schema},
		Valid:  func(text string) error { _, err := parse(text); return err },
	})
	if err != nil {
		return "", fmt.Errorf("make question-answer pairs: %w", err)
	}
	pairs, err := parse(res.Text)
	if err != nil {
		return "", fmt.Errorf("make question-answer pairs: %w", err)
	}
	for _, p := range pairs {
		found.add(p)
	}
	return res.Text, nil
}

// parse reads the pairs of an answer: an object with a list of them, or the list alone. A
// pair that is not of that form is left out. The text of an error goes to the model with the
// next request.
func parse(answer string) ([]QAPair, error) {
	var raw []json.RawMessage
	var object struct {
		Pairs []json.RawMessage `json:"pairs"`
	}
	if err := json.Unmarshal([]byte(answer), &object); err == nil {
		raw = object.Pairs
	} else if json.Unmarshal([]byte(answer), &raw) != nil {
		return nil, fmt.Errorf("the pairs are not of the form asked for: %w", err)
	}
	var out []QAPair
	for _, r := range raw {
		var p QAPair
		if json.Unmarshal(r, &p) == nil {
			out = append(out, p)
		}
	}
	return out, nil
}
