package cli

import (
	"context"
	"errors"

	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/terminal"
)

// asked is an answer, and whether it was shown while it came.
type asked struct {
	query.Answer

	shown bool
}

// ask answers a question, with a spinner until the first words come, and keeps
// the answer for `neorag trace`.
func (c *command) ask(ctx context.Context, cc *ucli.Context, m *models, engine *query.Engine, q query.Question) (asked, error) {
	stream := terminal.NewStream(c.env.Stdout, c.env.Getenv, m != nil && !cc.Bool("json"))
	spinner, update := c.spinner(cc)
	q.Stream = stream.Receiver(spinner.Stop)
	q.Progress = update
	q.OnRewrite = func(text string) { spinner.Above(func() { c.note(cc, "asked as: %s", terminal.Sanitize(text)) }) }
	var a query.Answer
	err := spinner.While(func() (err error) {
		a, err = engine.Ask(ctx, q)
		return err
	})
	stream.Close()
	if errors.Is(err, query.ErrUnknownMethod) || errors.Is(err, query.ErrFilter) {
		return asked{}, &userError{code: exitUsage, message: err.Error(), cause: err}
	}
	if err != nil {
		return asked{}, err
	}
	if a.Trace, err = c.keepAnswer(a); err != nil {
		c.note(cc, "the answer could not be kept for `neorag trace`: %v", err)
	}
	return asked{a, stream.Shows(a.Answer)}, nil
}
