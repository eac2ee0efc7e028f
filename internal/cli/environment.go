package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"

	"github.com/lmittmann/tint"

	"github.com/neorag/neorag/internal/config"
	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/text/sanitize"
	"github.com/neorag/neorag/internal/ui/terminal"
)

// An environment is what the run functions of all commands share. They look up
// servers and models in its settings; their options hold everything else.
type environment struct {
	Env
	outputOptions

	settings *config.Config // nil for commands without settings
	exit     int            // exit code of a run that returns no error

	resumable      bool // the next run finishes an interrupted one
	handlesSignals bool // the command handles signals itself and reports how it ended
}

// home returns the folder of this user's local servers, answers and records of trust.
func (env *environment) home() (string, error) {
	if env.Home != "" {
		return env.Home, nil
	}
	return config.DataDir(env.Getenv)
}

// serverData returns the data folder of the local server.
func (env *environment) serverData() (string, error) {
	if data := env.settings.Text("server.data"); data != "" {
		return data, nil
	}
	home, err := env.home()
	return filepath.Join(home, "neo4j"), err
}

// printf writes a result for a person to stdout, without control characters.
func (env *environment) printf(format string, args ...any) {
	fmt.Fprintf(terminal.Sanitized(env.Stdout), format, args...)
}

// messages returns stderr for errors and notes. They may hold messages of servers and
// names of files, from which it removes control characters.
func (env *environment) messages() io.Writer { return terminal.Sanitized(env.Stderr) }

// note writes a line about the result to stderr, unless --quiet is given.
func (env *environment) note(format string, args ...any) {
	if !env.quiet {
		fmt.Fprintf(env.messages(), format+"\n", args...)
	}
}

// printJSON writes the result as one indented JSON object.
func (env *environment) printJSON(v any) error {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("encode the result: %w", err)
	}
	if _, err := env.Stdout.Write(sanitize.JSON(out.Bytes())); err != nil {
		return fmt.Errorf("write the result: %w", err)
	}
	return nil
}

// print prints a result as JSON if that was asked for, else calls what prints it for a person.
func (env *environment) print(result any, text func()) error {
	if env.json {
		return env.printJSON(result)
	}
	text()
	return nil
}

// printTable prints a result as JSON if that was asked for, else as a Markdown table.
func (env *environment) printTable(result interface{ Table() string }) error {
	return env.print(result, func() { env.printf("%s", result.Table()) })
}

// logger writes warnings to stderr, and with --verbose everything.
func (env *environment) logger() *slog.Logger {
	level := slog.LevelWarn
	if env.verbose {
		level = slog.LevelDebug
	}
	return newLogger(env.Stderr, level)
}

// newLogger returns a logger that writes short coloured lines to a terminal, and
// plain ones elsewhere.
func newLogger(w io.Writer, level slog.Level) *slog.Logger {
	if terminal.IsTerminal(w) {
		return slog.New(tint.NewTextHandler(w, &tint.Options{Level: level, TimeFormat: "15:04:05", ReplaceAttr: terminal.SanitizeAttr}))
	}
	return slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{Level: level, ReplaceAttr: terminal.SanitizeAttr}))
}

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
