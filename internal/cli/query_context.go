package cli

import (
	"context"

	"github.com/neorag/neorag/internal/query"
)

// printContext prints what a model would be shown to answer a question. Notes go to stderr, so that
// stdout can become a part of a prompt.
func printContext(ctx context.Context, env *environment, engine *query.Engine, q query.Question, explain bool) error {
	spinner, update := newSpinner(env)
	q.Progress = update
	var c query.Context
	err := spinner.While(func() (err error) {
		c, err = engine.Context(ctx, q)
		return err
	})
	if err != nil {
		return err
	}
	if env.json {
		return env.printJSON(c)
	}
	if c.Text != "" {
		env.printf("%s\n", c.Text)
	} else {
		env.note("nothing that the method reads was found for the question")
	}
	if c.Choice != "" {
		env.note("%s", c.Choice)
	}
	for _, n := range c.Notes {
		env.note("%s", n)
	}
	if explain {
		for _, t := range c.Traces {
			t.Print(env.Stderr)
		}
	}
	return nil
}
