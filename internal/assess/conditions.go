package assess

import (
	"slices"

	"github.com/neorag/neorag/internal/evalrun"
)

// A condition is a condition of an evaluation with its answers.
type condition struct {
	key, name string
	answers   []evalrun.Answer // in the order of the questions
}

// conditionsOf returns the conditions that have answers, in the order of their first one. Those
// that have the same name have the beginning of their key in it too.
func conditionsOf(f *evalrun.Folder) []condition {
	order := map[string]int{}
	for i, q := range f.Questions.All() {
		order[q.Key()] = i
	}
	var out []condition
	at, named := map[string]int{}, map[string]int{}
	for _, a := range f.Answers.All() {
		i, known := at[a.Condition]
		if !known {
			i = len(out)
			at[a.Condition] = i
			c := condition{key: a.Condition, name: a.Condition}
			if of, ok := f.Conditions.Get(a.Condition); ok {
				c.name = of.Name()
			}
			named[c.name]++
			out = append(out, c)
		}
		out[i].answers = append(out[i].answers, a)
	}
	for i, c := range out {
		if named[c.name] > 1 {
			out[i].name += " " + c.key[:min(6, len(c.key))]
		}
		slices.SortStableFunc(c.answers, func(a, b evalrun.Answer) int { return order[a.Question] - order[b.Question] })
	}
	return out
}
