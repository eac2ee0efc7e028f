package score

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/neorag/neorag/internal/eval/evalrun"
	"github.com/neorag/neorag/internal/query/cite"
	"github.com/neorag/neorag/internal/text"
	"github.com/neorag/neorag/prompts"
)

const (
	maxAnswerBytes    = 12_000 // of an answer that is judged
	maxReasoningBytes = 2000
	// unanswered is the known answer to a question that the documents do not answer.
	unanswered = "Insufficient information: the question cannot be answered."
)

// JudgeCorrect asks a model of each answer whether it agrees with the known one (QCG-RAG 4.1).
// Answers to questions without a known answer are left out.
func JudgeCorrect(ctx context.Context, f *evalrun.Folder, m *Model, o Options) (evalrun.Count, error) {
	questions := questionsOf(f)
	var todo cells[evalrun.Verdict]
	for _, a := range f.Answers.All() {
		q := questions[a.Question]
		if !HasAnswer(q) {
			continue
		}
		cell := evalrun.Verdict{Answer: a.Key(), Kind: evalrun.VerdictCorrect, Judge: m.Identity(prompts.AnswerCorrect)}
		todo.add(cell.Key(), func(ctx context.Context) (evalrun.Verdict, error) {
			var err error
			cell.Usage, err = metered(ctx, func(ctx context.Context) error {
				cell.Correct, cell.Reasoning, err = m.correct(ctx, q, a.Text)
				return err
			})
			return cell, err
		})
	}
	return todo.run(ctx, f, "verdicts", f.Verdicts, o)
}

// A correctness is whether an answer agrees with the known one, 1 or 0.
type correctness struct {
	Reasoning string
	Correct   *int
}

func (m *Model) correct(ctx context.Context, q evalrun.Question, answer string) (correct bool, reasoning string, err error) {
	verdict, err := prompts.Ask(ctx, m.Ask, prompts.AnswerCorrect, prompts.Values{
		"question": text.OneLine(q.Text), "known_answer": cmp.Or(q.Answer, unanswered),
		"text": text.Truncate(strings.TrimSpace(cite.StripNumbers(answer)), maxAnswerBytes),
	}, parseCorrectness)
	if err != nil {
		return false, "", err
	}
	return *verdict.Correct == 1, text.Truncate(verdict.Reasoning, maxReasoningBytes), nil
}

func parseCorrectness(answer string) (verdict correctness, err error) {
	if err := json.Unmarshal([]byte(answer), &verdict); err != nil {
		return verdict, fmt.Errorf("the verdict is not of the form asked for: %w", err)
	}
	if verdict.Correct == nil || *verdict.Correct != 0 && *verdict.Correct != 1 {
		return verdict, errors.New("correct is neither 0 nor 1")
	}
	return verdict, nil
}
