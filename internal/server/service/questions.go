package service

import (
	"context"

	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/query/conversation"
)

// A Question is a question of a client.
type Question struct {
	Question  string         `json:"question" minLength:"1" maxLength:"20000" doc:"What to answer"`
	Corpora   []string       `json:"corpora,omitempty" maxItems:"32" doc:"Corpora to ask; empty for the corpus main, or the only one that the server shows"`
	Method    string         `json:"method,omitempty" maxLength:"40" doc:"How to search; empty for auto"`
	Filter    *Filter        `json:"filter,omitempty" doc:"What the answer may be made from"`
	MaxTokens int            `json:"max_tokens,omitempty" minimum:"100" maximum:"100000" doc:"Tokens of what is read; by default 4,400 for a context, and what the method reads for an answer"`
	History   []QuestionTurn `json:"history,omitempty" maxItems:"100" doc:"The conversation before the question, oldest turn first"`
}

// A QuestionTurn is a question of a conversation with its answer.
type QuestionTurn struct {
	Question string `json:"question" maxLength:"20000"`
	Answer   string `json:"answer" maxLength:"100000"`
}

// A Filter limits what an answer is made from.
type Filter struct {
	Documents []string `json:"documents,omitempty" maxItems:"100" doc:"Patterns of documents, as in .gitignore"`
	After     string   `json:"after,omitempty" doc:"Documents dated that day or later"`
	Before    string   `json:"before,omitempty" doc:"Documents dated earlier than that day"`
	Types     []string `json:"types,omitempty" maxItems:"100" doc:"Text that mentions an entity of one of these types"`
}

// defaultContextTokens is the size of a context for which neither the client nor the settings give one.
const defaultContextTokens = 4400

// question returns the question for an engine, with what the settings of the server say.
func (s *Service) question(q Question) query.Question {
	out := s.options.Question
	out.Text = q.Question
	if q.MaxTokens > 0 {
		out.ReduceTokens = q.MaxTokens
	}
	if q.Method != "" {
		out.Method = q.Method
	}
	if f := q.Filter; f != nil {
		out.Filter = query.Filter{Documents: f.Documents, After: f.After, Before: f.Before, Types: f.Types}
	}
	for _, t := range q.History {
		out.History = append(out.History, conversation.Turn{Question: t.Question, Answer: t.Answer})
	}
	return out
}

// Context returns what a model would be shown to answer a question, with links to its sources.
func (s *Service) Context(ctx context.Context, q Question) (query.Context, error) {
	e, ctx, end, err := s.engine(ctx, q.Corpora)
	if err != nil {
		return query.Context{}, err
	}
	defer end()
	ask := s.question(q)
	if ask.ReduceTokens == 0 {
		ask.ReduceTokens = defaultContextTokens
	}
	c, err := e.Context(ctx, ask)
	if err != nil {
		return query.Context{}, err
	}
	for i, b := range c.Blocks {
		c.Blocks[i].Href = blockHref(b)
	}
	c.Notes = shortened(c.Notes)
	return c, nil
}

// Events receive what happens while an answer is made; nil functions are not called. Calls are concurrent,
// except that Stream and OnRestart are called one after the other. What Stream gets after the last restart is
// the answer: an answer that no model writes comes in one piece.
type Events struct {
	Progress  func(query.Progress)
	OnRewrite func(question string)
	Stream    func(delta string)
	OnRestart func(why string)
}

// stream sets the functions of a question to those of the events. The function that it returns must be
// called with the answer: it streams an answer of which nothing was streamed.
func (v Events) stream(ask *query.Question) (whole func(answer string)) {
	ask.Progress, ask.OnRewrite, ask.OnRestart = v.Progress, v.OnRewrite, v.OnRestart
	if v.Stream == nil {
		return func(string) {}
	}
	streamed := false
	ask.Stream = func(delta string) {
		streamed = true
		v.Stream(delta)
	}
	if v.OnRestart != nil {
		ask.OnRestart = func(why string) {
			streamed = false
			v.OnRestart(why)
		}
	}
	return func(answer string) {
		if !streamed && answer != "" {
			v.Stream(answer)
		}
	}
}

// Ask answers a question, with links to the evidence of its references.
func (s *Service) Ask(ctx context.Context, q Question, events Events) (query.Answer, error) {
	e, ctx, end, err := s.engine(ctx, q.Corpora)
	if err != nil {
		return query.Answer{}, err
	}
	defer end()
	ask := s.question(q)
	whole := events.stream(&ask)
	a, err := e.Ask(ctx, ask)
	if err != nil {
		return query.Answer{}, err
	}
	whole(a.Answer)
	for i, r := range a.References {
		a.References[i].Href = referenceHref(r)
	}
	a.Notes = shortened(a.Notes)
	return a, nil
}

// shortened returns notes without absolute paths.
func shortened(notes []string) []string {
	var out []string
	for _, n := range notes {
		out = append(out, withoutPaths(n))
	}
	return out
}

// engine returns the engine of a question, after a wait for its turn, and the context of its answer.
// end must be called.
func (s *Service) engine(ctx context.Context, named []string) (e *query.Engine, answerCtx context.Context, end func(), err error) {
	corpora, err := s.Chosen(ctx, named)
	if err != nil {
		return nil, nil, nil, err
	}
	back, err := s.turns.take(ctx)
	if err != nil {
		return nil, nil, nil, err
	}
	if e, err = s.options.Engine(ctx, corpora); err != nil {
		back()
		return nil, nil, nil, err
	}
	answerCtx, cancel := context.WithTimeout(ctx, answerTime)
	return e, answerCtx, func() { cancel(); back() }, nil
}
