package synth

import (
	"context"

	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/prompts"
)

// The tasks by which calls are counted.
const (
	TaskMap    = "map"
	TaskAnswer = "answer"
)

// A Model is the chat models that answer questions, and their prompts.
type Model struct {
	Map, Answer llm.Chat
	Prompts     prompts.Set
}

// A Call asks a model for JSON.
type Call struct {
	Task   string // by which it is counted
	Prompt string
	Schema string // the name of the answer's schema; empty means that of the prompt
	Values prompts.Values
	Valid  func(answer string) error // checks the answer; an invalid one is asked for again
}

// AskJSON asks the model of the task map, and returns its JSON.
func (m *Model) AskJSON(ctx context.Context, c Call) (string, error) {
	p, err := m.Prompts.Get(c.Prompt)
	if err != nil {
		return "", err
	}
	if c.Schema == "" {
		c.Schema = c.Prompt
	}
	system, user := p.Render(c.Values)
	res, err := m.Map.Chat(ctx, llm.Request{
		Task: c.Task, Messages: []llm.Message{{Role: "system", Content: system}, {Role: "user", Content: user}},
		Schema: &llm.Schema{Name: c.Schema, JSON: p.Schema}, Valid: c.Valid,
	})
	return res.Text, err
}
