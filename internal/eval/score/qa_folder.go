package score

import (
	"errors"
	"slices"

	"github.com/neorag/neorag/internal/eval/evalrun"
)

// ErrNoKnownAnswers means that no question of an evaluation has a known answer.
var ErrNoKnownAnswers = errors.New(`no question of the evaluation has an "answer", or the type "null"`)

// Folder scores the answers of an evaluation by rules, or by the verdicts of a judge; "" for
// none. An answer without a reference counts as declined.
func Folder(f *evalrun.Folder, judge string) (QA, error) {
	r := Read(f)
	out := QA{Methods: []QAMethod{}, Judge: judge}
	for _, q := range r.Questions {
		if !HasAnswer(q) {
			out.Without++
		}
	}
	if !slices.ContainsFunc(r.Questions, HasAnswer) {
		return out, ErrNoKnownAnswers
	}
	for _, c := range r.conditions() {
		out.Methods = append(out.Methods, r.scoreCondition(c, judge))
	}
	out.Methods = append(out.Methods, Baselines(r.Measured(judge), judge != "")...)
	return out, nil
}

// scoreCondition scores the answers of one condition. An answer or a verdict that failed is wrong.
func (r Records) scoreCondition(c condition, judge string) QAMethod {
	var answers []Answered
	var missing, unjudged, failed int
	for i, mark := range r.Marks(c.key, judge) {
		q := r.Questions[i]
		if !HasAnswer(q) {
			continue
		}
		a, answered := r.folder.Answers.Get(evalrun.AnswerKey(c.key, q.Key()))
		scored := Answered{Question: q, Text: a.Text, Declined: answered && a.References == 0}
		switch mark.State {
		case StateMissing:
			missing++
			continue
		case StateUnassessed:
			unjudged++
			continue
		case StateFailed:
			scored.Correct = new(bool)
			failed++
		case StateMade:
			if judge != "" {
				scored.Correct = &mark.Correct
			}
		}
		answers = append(answers, scored)
	}
	line := Answers(c.name, answers)
	line.Key, line.Missing, line.Unjudged, line.Failed = c.key, missing, unjudged, failed
	return line
}
