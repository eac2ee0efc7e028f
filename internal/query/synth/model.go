package synth

import (
	"context"
	"errors"

	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/prompts"
)

// The tasks by which calls are counted.
const (
	TaskMap    = "map"
	TaskAnswer = "answer"
)

// errNeither means that a model answered neither yes nor no.
var errNeither = errors.New("the answer is neither YES nor NO")

// A Model is the chat models that answer questions, and their prompts.
type Model struct {
	Map, Answer llm.Chat
	Prompts     prompts.Set
	YesNo       map[string]int64 // biases answers of Map to the tokens of YES and NO, if its tokenizer is known
}

// A Call asks a model for JSON.
type Call struct {
	Task   string // by which it is counted
	Prompt string
	Schema string // the name of the answer's schema; empty means the schema of the prompt
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
	res, err := m.Map.Chat(ctx, llm.Request{
		Task: c.Task, Messages: messages(p, c.Values), Schema: &llm.Schema{Name: c.Schema, JSON: p.SchemaOf(c.Values)}, Valid: c.Valid,
	})
	return res.Text, err
}

// AskYesNo asks the model of the task map a question for yes or no, which it answers with one
// token if YesNo is set.
func (m *Model) AskYesNo(ctx context.Context, c Call) (yes bool, err error) {
	p, err := m.Prompts.Get(c.Prompt)
	if err != nil {
		return false, err
	}
	req := llm.Request{Task: c.Task, Messages: messages(p, c.Values), Valid: func(answer string) error {
		if _, ok := llm.ParseYesNo(answer); !ok {
			return errNeither
		}
		return nil
	}}
	req.BiasYesNo(m.YesNo)
	res, err := m.Map.Chat(ctx, req)
	yes, _ = llm.ParseYesNo(res.Text)
	return yes && err == nil, err
}

// messages returns a prompt with values as a system message and a question.
func messages(p prompts.Prompt, v prompts.Values) []llm.Message {
	system, user := p.Render(v)
	return []llm.Message{{Role: "system", Content: system}, {Role: "user", Content: user}}
}
