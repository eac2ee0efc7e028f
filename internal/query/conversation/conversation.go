// Package conversation condenses a follow-up question: it turns the question and
// the turns before it into a question that can be asked without them.
//
// Condense does so by rules of English and always gives the same question. A
// Condenser asks a model.
package conversation

import "cmp"

// A Turn is a question of a conversation with its answer.
type Turn struct {
	Question string `json:"question"`
	Asked    string `json:"asked,omitempty"` // the condensed question, where it differs
	Answer   string `json:"answer"`

	Corpus    string   `json:"corpus,omitempty"`    // that was asked, or several
	Documents []string `json:"documents,omitempty"` // that the answer cites
}

// condensed is the question without the conversation before it.
func (t Turn) condensed() string { return cmp.Or(t.Asked, t.Question) }
