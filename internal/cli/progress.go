package cli

import (
	"log/slog"

	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/ui/terminal"
)

// newProgress returns the progress of a run and the function that updates it. The
// caller closes it.
func newProgress(env *environment) (p *terminal.Progress, update func(index.Progress)) {
	p = terminal.NewProgress(env.Stderr, newLogger(env.Stderr, slog.LevelInfo), env.quiet)
	return p, func(stage index.Progress) { p.Update(terminal.Stage(stage)) }
}

// newSpinner returns the spinner of a question and the function that updates it.
func newSpinner(env *environment) (s *terminal.Spinner, update func(query.Progress)) {
	s = terminal.NewSpinner(env.Stderr, env.Getenv, env.quiet || env.verbose)
	return s, func(p query.Progress) { s.Update(p.Stage, p.Done, p.Total) }
}
