package assess

import (
	"errors"

	"github.com/neorag/neorag/internal/evalrun"
)

// ErrNoKnownAnswers means that no question of an evaluation has a known answer.
var ErrNoKnownAnswers = errors.New(`no question of the evaluation has an "answer", or the type "null"`)

// ScoreFolder scores the answers of an evaluation by rules, or by the verdicts of a judge; "" for
// none. An answer without a reference counts as declined.
func ScoreFolder(f *evalrun.Folder, judge string) (QA, error) {
	out := QA{Methods: []QAMethod{}, Judge: judge}
	var known []evalrun.Question
	for _, q := range f.Questions.All() {
		if HasAnswer(q) {
			known = append(known, q)
		} else {
			out.Without++
		}
	}
	if len(known) == 0 {
		return out, ErrNoKnownAnswers
	}
	for _, c := range conditionsOf(f) {
		out.Methods = append(out.Methods, scoreCondition(f, c, known, judge))
	}
	out.Methods = append(out.Methods, ScoreConstants(known, judge != "")...)
	return out, nil
}

// scoreCondition scores the answers of one condition. An answer or a verdict that failed is wrong.
func scoreCondition(f *evalrun.Folder, c condition, known []evalrun.Question, judge string) QAMethod {
	var answers []Answered
	var missing, unjudged, failed int
	failures := f.Failures()
	for _, q := range known {
		key := evalrun.AnswerKey(c.key, q.Key())
		v := evalrun.Verdict{Answer: key, Kind: evalrun.VerdictCorrect, Judge: judge}
		made, judged := f.Verdicts.Get(v.Key())
		_, answerFailed := failures[key]
		_, verdictFailed := failures[v.Key()]
		a, answered := f.Answers.Get(key)
		scored := Answered{Question: q, Text: a.Text, Declined: answered && a.References == 0}
		switch {
		case !answered && answerFailed, judge != "" && !judged && verdictFailed:
			scored.Correct = new(bool)
			failed++
		case !answered:
			missing++
			continue
		case judge != "" && !judged:
			unjudged++
			continue
		case judge != "":
			scored.Correct = &made.Correct
		}
		answers = append(answers, scored)
	}
	line := Score(c.name, answers)
	line.Key, line.Missing, line.Unjudged, line.Failed = c.key, missing, unjudged, failed
	return line
}
