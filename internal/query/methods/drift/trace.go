package drift

import (
	"fmt"
	"io"
)

// A FollowUp is a question that drift asked to answer another.
type FollowUp struct {
	Question string  `json:"question"`
	Score    float64 `json:"score"` // 0 to 100, by which it was chosen
}

// FollowUps are the questions that drift asked, in their order.
type FollowUps []FollowUp

// TraceName is part of query.Trace.
func (FollowUps) TraceName() string { return "follow_ups" }

// Print prints the questions.
func (f FollowUps) Print(w io.Writer) {
	fmt.Fprintf(w, "\ndrift asked %d more questions:\n", len(f))
	for _, q := range f {
		fmt.Fprintf(w, "    %3.0f  %s\n", q.Score, q.Question)
	}
}
