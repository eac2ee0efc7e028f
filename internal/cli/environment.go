package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/neorag/neorag/internal/config"
	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/llm/calllog"
	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/sys/telemetry"
	"github.com/neorag/neorag/internal/sys/userfile"
	"github.com/neorag/neorag/internal/text/sanitize"
	"github.com/neorag/neorag/internal/ui/terminal"
)

// An environment is what the run functions of all commands share. They look up
// servers and models in its settings; their options hold everything else.
type environment struct {
	Env
	outputOptions

	settings *config.Config // nil for commands without settings
	// priceDate is the date of the built-in list of prices, if the command's models have prices from it.
	priceDate string
	calls     *calllog.Log         // of --calls; nil before the first model
	activity  llm.Activity         // of all models
	telemetry *telemetry.Telemetry // nil unless the environment asks for it
	endSpan   func(code int)       // of the command; nil before it runs
	exit      int                  // exit code of a run that returns no error

	suggested      bool        // models of this machine were looked for
	resumable      atomic.Bool // the next run finishes an interrupted one
	handlesSignals atomic.Bool // the command handles signals itself and reports how it ended
}

// home returns the folder of this user's local servers, answers and records of trust. It is an error
// if others can write to it: they could replace each of these.
func (env *environment) home() (string, error) {
	home, err := env.Home, error(nil)
	if home == "" {
		home, err = config.DataDir(env.Getenv)
	}
	if err != nil {
		return "", err
	}
	if err := userfile.CheckFolder(home); errors.Is(err, userfile.ErrUnsafe) {
		return "", failure(err, fmt.Sprintf("the data folder is not used: %v", err), "or set "+config.EnvHome+" to another folder")
	}
	return home, nil
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

// newProgress returns the progress of a run and the function that updates it. The
// caller closes it.
func newProgress(env *environment) (p *terminal.Progress, update func(index.Progress)) {
	p = terminal.NewProgress(env.stderrWithoutTerminal(), env.progressLogger(), env.quiet, func() string {
		return waitingText(env.activity.State(), time.Now())
	})
	return p, func(s index.Progress) {
		p.Update(terminal.Stage{Stage: s.Stage, Done: s.Done, Total: s.Total, Failed: s.Failed, Elapsed: s.Elapsed, Ended: s.Ended})
	}
}

// newSpinner returns the spinner of a question and the function that updates it.
func newSpinner(env *environment) (s *terminal.Spinner, update func(query.Progress)) {
	s = terminal.NewSpinner(env.stderrWithoutTerminal(), env.Getenv, env.quiet || env.verbose)
	return s, func(p query.Progress) { s.Update(p.Stage, p.Done, p.Total) }
}
