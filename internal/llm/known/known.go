// Package known holds what is learnt of a server and a model from its answers: what it
// refuses, and its limits. The clients of a model share one record, so that what one call
// showed is not tried by the next.
//
// In: facts, as calls show them. Out: the facts known so far.
package known

import (
	"slices"
	"sync"
)

// Facts are what is known of one model on one server. The zero value means that nothing
// is known: everything is tried.
type Facts struct {
	// Without are the parameters that the server refuses, sorted.
	Without []string `json:"without,omitempty"`
	// Format is the strictest response format that the server accepts.
	Format string `json:"format,omitempty"`
	// WholeAnswers means that the server refuses to stream.
	WholeAnswers bool `json:"whole_answers,omitempty"`
	// OneMessage means that the server refuses the system role, or roles that do not
	// alternate: all messages are sent as one of the user.
	OneMessage bool `json:"one_message,omitempty"`
	// Context is the number of tokens of prompt and answer together, 0 if unknown.
	Context int `json:"context,omitempty"`
	// BatchTexts and BatchTokens bound one call for vectors, 0 if unknown.
	BatchTexts  int `json:"batch_texts,omitempty"`
	BatchTokens int `json:"batch_tokens,omitempty"`
}

// A Server is the record of one model on one server. Its zero value is empty and ready for
// use. It is safe for concurrent use.
type Server struct {
	mu    sync.Mutex
	facts Facts
}

// Facts returns what is known.
func (s *Server) Facts() Facts {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.facts.clone()
}

// Learn records facts: change gets a copy of what is known and edits it.
func (s *Server) Learn(change func(*Facts)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	facts := s.facts.clone()
	change(&facts)
	slices.Sort(facts.Without)
	facts.Without = slices.Compact(facts.Without)
	s.facts = facts
}

func (f Facts) clone() Facts {
	f.Without = slices.Clone(f.Without)
	return f
}
