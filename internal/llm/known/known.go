// Package known holds what is learnt of a server and a model from its answers: what it
// refuses, and its limits. The clients of a model share one record, so that what one call
// showed is not tried by the next. A Folder keeps the records for later runs.
//
// In: facts, as calls show them. Out: the facts known so far.
package known

import (
	"reflect"
	"slices"
	"sync"
	"time"
)

// Facts are what is known of one model on one server. The zero value means that nothing
// is known: everything is tried.
type Facts struct {
	// Without are the parameters that the server refuses, sorted.
	Without []string `json:"without,omitempty"`
	// Format is the strictest response format that the server accepts, "" while no format
	// was refused.
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

// MaxAge is how long facts are used after the first of them was learnt. Then everything is
// tried again, because servers are upgraded.
const MaxAge = 7 * 24 * time.Hour

// A Server is the record of one model on one server. Its zero value is empty and ready for
// use, and lasts as long as the process. It is safe for concurrent use.
type Server struct {
	file *file // nil: in memory only

	mu     sync.Mutex
	read   bool // the file was read
	facts  Facts
	learnt time.Time // when the first of the facts was learnt; zero without facts
}

// Facts returns what is known.
func (s *Server) Facts() Facts {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refresh()
	return s.facts.clone()
}

// Learn records facts: change gets a copy of what is known and edits it.
func (s *Server) Learn(change func(*Facts)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refresh()
	facts := s.facts.clone()
	change(&facts)
	slices.Sort(facts.Without)
	facts.Without = slices.Compact(facts.Without)
	if reflect.DeepEqual(facts, s.facts) {
		return
	}
	s.facts = facts
	if s.learnt.IsZero() {
		s.learnt = time.Now()
	}
	s.file.write(s.facts, s.learnt)
}

// refresh reads the file once, and forgets facts that are too old.
func (s *Server) refresh() {
	if !s.read {
		s.read = true
		s.facts, s.learnt = s.file.read()
	}
	if !s.learnt.IsZero() && !current(s.learnt) {
		s.facts, s.learnt = Facts{}, time.Time{}
	}
}

// current reports whether facts that were learnt at a time are used. A time in the future is
// of a clock that was wrong.
func current(learnt time.Time) bool {
	age := time.Since(learnt)
	return age >= -time.Hour && age < MaxAge
}

func (f Facts) clone() Facts {
	f.Without = slices.Clone(f.Without)
	return f
}
