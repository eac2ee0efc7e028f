package lazy

import (
	"context"
	"errors"
	"fmt"

	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/query/rank"
	"github.com/neorag/neorag/internal/query/retrieve"
	"github.com/neorag/neorag/internal/query/synth"
	"github.com/neorag/neorag/internal/sys/parallel"
	"github.com/neorag/neorag/internal/text"
	"github.com/neorag/neorag/prompts"
)

// TaskRelevance is the task by which calls that test a chunk are counted.
const TaskRelevance = "relevance"

// A relevanceJudge tests chunks: by a model, or by their similarity without one.
type relevanceJudge struct {
	query.Request

	budget, tests int
	failed        int // tests
	err           error
}

// test is a relevanceTest. A chunk that the model cannot judge is judged by its similarity;
// it is an error if that happens to all chunks of the first batch.
func (j *relevanceJudge) test(ctx context.Context, chunks []chunk) ([]bool, error) {
	helps := make([]bool, len(chunks))
	for i, c := range chunks {
		helps[i] = c.Score >= j.Tuning.Value("share", lazyShare)
	}
	first := j.tests == 0
	j.tests += len(chunks)
	if j.Options.Model == nil || len(chunks) == 0 {
		return helps, ctx.Err()
	}
	j.Step("relevance", j.tests, j.budget)
	answers, failures, err := j.ask(ctx, chunks)
	if err != nil {
		return nil, fmt.Errorf("test chunks: %w", err)
	}
	for i, c := range chunks {
		if yes, judged := answers[c.Key]; judged {
			helps[i] = yes
		}
	}
	if failures != nil {
		j.err = failures
		j.failed += len(chunks) - len(answers)
		if first && len(answers) == 0 {
			return nil, fmt.Errorf("test chunks: %w", failures)
		}
	}
	return helps, nil
}

// ask asks the model whether each of some chunks helps, by a call for each. Chunks whose call
// failed have no answer.
func (j *relevanceJudge) ask(ctx context.Context, chunks []chunk) (answers map[string]bool, failures, err error) {
	keys := make([]rank.Scored, len(chunks))
	for i, c := range chunks {
		keys[i].Key = c.Key
	}
	read, err := j.Reader.Chunks(ctx, keys)
	if err != nil {
		return nil, nil, err
	}
	said, err := parallel.All(ctx, j.Options.Concurrency, read, func(ctx context.Context, c retrieve.Chunk) (bool, error) {
		return j.Options.Model.AskYesNo(ctx, synth.Call{
			Task: TaskRelevance, Prompt: prompts.Relevance, Values: prompts.Values{"question": j.Text, "text": c.Title() + "\n\n" + c.Text},
		})
	})
	if err != nil {
		return nil, nil, err
	}
	answers = map[string]bool{}
	for i, c := range read {
		if said[i].Err == nil {
			answers[c.Key] = said[i].Value
		}
		failures = errors.Join(failures, said[i].Err)
	}
	return answers, failures, nil
}

// notes say what the model could not judge.
func (j *relevanceJudge) notes() []string {
	if j.failed == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%d of %d chunks could not be tested and were judged by the search: %s", j.failed, j.tests, text.FirstLine(j.err.Error()))}
}
