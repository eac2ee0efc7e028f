package score

import (
	"github.com/neorag/neorag/internal/eval/evalrun"
)

// A condition is a condition of an evaluation with its answers.
type condition struct {
	key, name string
	answers   []evalrun.Answer // in the order of the questions
}

// conditions returns the conditions with answers, also if all of these failed. Those that have the
// same name have the beginning of their key in it too.
func (r Records) conditions() []condition {
	var out []condition
	named := map[string]int{}
	for _, c := range r.folder.Conditions.All() {
		own := condition{key: c.Key(), name: c.Name()}
		failed := false
		for _, q := range r.Questions {
			key := evalrun.AnswerKey(own.key, q.Key())
			if a, ok := r.folder.Answers.Get(key); ok {
				own.answers = append(own.answers, a)
			}
			failed = failed || r.Failed[key]
		}
		if failed || len(own.answers) > 0 {
			named[own.name]++
			out = append(out, own)
		}
	}
	for i, c := range out {
		if named[c.name] > 1 {
			out[i].name += " " + c.key[:min(6, len(c.key))]
		}
	}
	return out
}
