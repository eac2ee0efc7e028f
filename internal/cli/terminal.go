package cli

import (
	"log/slog"

	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/terminal"
)

// progress returns the progress of a run and the function that updates it. The
// caller closes it.
func (c *command) progress(cc *ucli.Context) (p *terminal.Progress, update func(index.Progress)) {
	p = terminal.NewProgress(c.env.Stderr, newLogger(c.env.Stderr, slog.LevelInfo), cc.Bool("quiet"))
	return p, func(stage index.Progress) { p.Update(terminal.Stage(stage)) }
}

// spinner returns the spinner of a question and the function that updates it.
func (c *command) spinner(cc *ucli.Context) (s *terminal.Spinner, update func(query.Progress)) {
	s = terminal.NewSpinner(c.env.Stderr, c.env.Getenv, cc.Bool("quiet") || cc.Bool("verbose"))
	return s, func(p query.Progress) { s.Update(p.Stage, p.Done, p.Total) }
}
