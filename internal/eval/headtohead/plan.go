package headtohead

import "github.com/neorag/neorag/internal/eval/evalrun"

// A Cell is one comparison that is to be made.
type Cell struct {
	Question      evalrun.Question
	First, Second evalrun.Answer
	Criterion     string
	Replicate     int
}

// Key returns the key of the judgement of the cell.
func (c Cell) Key(judge string) string {
	return evalrun.Judgement{First: c.First.Key(), Second: c.Second.Key(), Criterion: c.Criterion, Replicate: c.Replicate, Judge: judge}.Key()
}

// A Plan is what is compared: each pair of conditions on each question, by each criterion, in both
// orders, with some replicates.
type Plan struct {
	Questions  []evalrun.Question
	Conditions []string // keys
	Criteria   []string
	Replicates int
	// Answer returns the answer to a question under a condition, if there is one.
	Answer func(condition, question string) (evalrun.Answer, bool)
}

// Cells returns all comparisons, question by question, and how many questions of a pair are left
// out because an answer is missing.
func (p Plan) Cells() (cells []Cell, without int) {
	for _, q := range p.Questions {
		for i, one := range p.Conditions {
			for _, other := range p.Conditions[i+1:] {
				a, hasA := p.Answer(one, q.Key())
				b, hasB := p.Answer(other, q.Key())
				if !hasA || !hasB {
					without++
					continue
				}
				cells = p.compare(cells, q, a, b)
			}
		}
	}
	return cells, without
}

// compare appends the comparisons of two answers.
func (p Plan) compare(cells []Cell, q evalrun.Question, a, b evalrun.Answer) []Cell {
	for _, criterion := range p.Criteria {
		for replicate := range p.Replicates {
			cells = append(cells, Cell{q, a, b, criterion, replicate}, Cell{q, b, a, criterion, replicate})
		}
	}
	return cells
}
