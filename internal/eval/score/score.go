// Package score assesses the answers of an evaluation: their claims, whether they agree with known
// answers, and whether their quotes support their statements; by a model, one cell of the
// evaluation after the other, or by rules.
package score

import (
	"context"

	"github.com/neorag/neorag/internal/eval/evalrun"
	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/prompts"
)

// Task is the task by which the calls are counted.
const Task = "judge"

// A Model is asked about answers.
type Model struct {
	Ask     prompts.Asker
	Name    string // of the model, with its fixed parameters
	Prompts prompts.Set
}

// Identity names the model and its prompt in the cells that it makes: with another prompt they are
// other cells.
func (m *Model) Identity(prompt string) string {
	return m.Name + " " + prompt + "@" + m.Prompts.Fingerprint(prompt)[:8]
}

// Options configure how cells are made; see evalrun.Job.
type Options struct {
	Limit    int
	Ends     func(error) bool
	Progress func(done, total int)
}

// cells collects the cells of a job with what makes them.
type cells[R evalrun.Record] struct {
	keys []string
	make []func(context.Context) (R, error)
}

func (c *cells[R]) add(key string, fn func(context.Context) (R, error)) {
	c.keys, c.make = append(c.keys, key), append(c.make, fn)
}

// run makes the cells that are missing in a file.
func (c *cells[R]) run(ctx context.Context, f *evalrun.Folder, kind string, file *evalrun.Cells[R], o Options) (evalrun.Count, error) {
	return evalrun.Run(ctx, f, evalrun.Job[R]{
		Kind: kind, Cells: file, Keys: c.keys, Limit: o.Limit, Ends: o.Ends, Progress: o.Progress,
		Make: func(ctx context.Context, i int) (R, error) { return c.make[i](ctx) },
	})
}

// metered calls fn, and returns what its calls to models took, also what answers from the cache took
// when they were made.
func metered(ctx context.Context, fn func(context.Context) error) (evalrun.Usage, error) {
	var meter llm.Meter
	err := fn(llm.WithMeter(ctx, &meter))
	u := meter.Total().Add(meter.Saved())
	return evalrun.Usage{Calls: u.Calls, TokensIn: u.TokensIn, TokensOut: u.TokensOut, Cost: u.Cost}, err
}

// questionsOf returns the questions by their keys.
func questionsOf(f *evalrun.Folder) map[string]evalrun.Question {
	out := map[string]evalrun.Question{}
	for _, q := range f.Questions.All() {
		out[q.Key()] = q
	}
	return out
}
