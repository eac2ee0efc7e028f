package eval

import (
	"context"
	"fmt"

	"github.com/neorag/neorag/internal/eval/score"
)

// A QASet is questions with known answers, and how to ask them.
type QASet struct {
	Questions []Question
	// Ask returns the answer to a question by a method, and how many references it has.
	Ask func(ctx context.Context, method, question string) (answer string, references int, err error)
}

// AnswerQuestions asks every question with a known answer by each method. An answer without a
// reference counts as declined. progress may be nil.
func AnswerQuestions(ctx context.Context, sets []QASet, methods []string, progress func(done, total int)) (score.QA, error) {
	var out score.QA
	var known []Question
	var ask []func(ctx context.Context, method, question string) (string, int, error) // the known questions
	for _, s := range sets {
		for _, q := range s.Questions {
			if score.HasAnswer(q) {
				known, ask = append(known, q), append(ask, s.Ask)
			} else {
				out.Without++
			}
		}
	}
	if len(known) == 0 {
		return out, fmt.Errorf(`%w: no question has an "answer", or the type %q`, ErrQuestions, score.Unanswerable)
	}
	done := 0
	for _, method := range methods {
		var answers []score.Answered
		for i, q := range known {
			answer, references, err := ask[i](ctx, method, q.Text)
			if err != nil {
				return out, fmt.Errorf("question %s by %s: %w", q.ID, method, err)
			}
			answers = append(answers, score.Answered{Question: q, Text: answer, Declined: references == 0})
			if done++; progress != nil {
				progress(done, len(known)*len(methods))
			}
		}
		out.Methods = append(out.Methods, score.Answers(method, answers))
	}
	out.Methods = append(out.Methods, score.Baselines(known, false)...)
	return out, ctx.Err()
}
