// Package cli is the command line: one file per command, and the only reader of
// flags and environment. Results go to stdout, progress and logs to stderr.
package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/localneo4j"
	"github.com/neorag/neorag/internal/neo4jstore"
	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/terminal"
)

// Exit codes.
const (
	exitOK          = 0
	exitFailure     = 1
	exitUsage       = 2
	exitFailedParts = 3
	exitInterrupted = 130
)

// Env is what a command has of the process it runs in.
type Env struct {
	Args   []string // the program's name first
	Stdin  io.Reader
	Stdout io.Writer
	Stderr io.Writer
	Getenv func(string) string
	Dir    string // working directory; "" means the process's
	Home   string // folder of local servers and answers; "" means the user's data folder
}

// OS is the environment of this process.
func OS() Env {
	return Env{Args: os.Args, Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Getenv: os.Getenv}
}

// Process runs the command of this process until it ends or is told to, by
// SIGINT or SIGTERM, and returns the exit code. A second signal ends the
// process at once.
func Process() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	return Main(ctx, OS())
}

// Main runs one command and returns the exit code of the process.
func Main(ctx context.Context, env Env) int {
	c := &command{env: env}
	app := c.app()
	err := app.RunContext(ctx, reorder(app, env.Args))
	if err == nil {
		return c.exit
	}
	if ctx.Err() != nil && !c.ownSignals {
		interrupted := &userError{code: exitInterrupted, message: "interrupted"}
		if c.resumes {
			interrupted.hint = "run the same command again: it goes on where it stopped"
		}
		err = interrupted
	}
	return c.fail(err)
}

// command carries the environment and the exit code through one run.
type command struct {
	env     Env
	json    bool // errors go out as JSON
	resumes bool // a run that is cut off is finished by the next
	exit    int

	ownSignals bool // the command takes signals itself, and says how it ended

	file   string             // of settings; "" without one
	layers map[string]layered // settings by key
}

// A userError says how the process exits, and what a person can do.
type userError struct {
	code    int
	message string
	hint    string
	cause   error
}

func (e *userError) Error() string { return e.message }
func (e *userError) Unwrap() error { return e.cause }

func usage(format string, args ...any) error {
	return &userError{code: exitUsage, message: fmt.Sprintf(format, args...)}
}

// fail prints an error once and says with which code to exit.
func (c *command) fail(err error) int {
	u := &userError{code: exitFailure, message: err.Error()}
	if ue, ok := errors.AsType[*userError](err); ok {
		u = &userError{code: ue.code, message: err.Error(), hint: ue.hint}
	}
	if u.hint == "" {
		u.hint = hintFor(err)
	}
	if c.json || wantsJSON(c.env.Args) {
		type body struct {
			Message string `json:"message"`
			Hint    string `json:"hint"`
			Code    int    `json:"code"`
		}
		_ = json.NewEncoder(c.env.Stderr).Encode(map[string]body{"error": {u.message, u.hint, u.code}}) // nothing is left to tell it to
		return u.code
	}
	fmt.Fprintln(c.env.Stderr, "neorag: "+u.message)
	if u.hint != "" {
		fmt.Fprintln(c.env.Stderr, "  "+u.hint)
	}
	return u.code
}

// hintFor says what to do about errors that the layers below know by name.
func hintFor(err error) string {
	switch {
	case errors.Is(err, neo4jstore.ErrUnreachable):
		return "start a local server with `neorag up`, or set NEO4J_URI"
	case errors.Is(err, neo4jstore.ErrDiskFull), errors.Is(err, neo4jstore.ErrStopped):
		return "make room, start Neo4j again (a local one with `neorag down` and `neorag up`), then run the same command again: it goes on where it stopped"
	case errors.Is(err, neo4jstore.ErrUnauthorized):
		return "set NEO4J_USERNAME and NEO4J_PASSWORD; after three wrong tries Neo4j refuses for five seconds"
	case errors.Is(err, neo4jstore.ErrNoCorpus):
		return "`neorag status` lists the corpora; `neorag index PATH` makes one"
	case errors.Is(err, neo4jstore.ErrLeaseLost):
		return "let the other run end, then run the same command again: it goes on where it stopped"
	case errors.Is(err, neo4jstore.ErrLeased):
		return "wait until the other run ends, or use another --corpus"
	case errors.Is(err, localneo4j.ErrNotRunning):
		return "start it with `neorag up`"
	case errors.Is(err, index.ErrOtherMode):
		return "say --yes to go on, give another --corpus, or give the flags that the corpus was made with"
	case errors.Is(err, query.ErrUnknownMethod):
		return "`neorag methods` says what each does"
	}
	return ""
}

func wantsJSON(args []string) bool {
	for _, a := range args {
		if a == "--json" || a == "-json" || strings.HasPrefix(a, "--json=") && a != "--json=false" {
			return true
		}
		if a == "--" {
			return false
		}
	}
	return false
}

// printJSON writes one JSON object.
func (c *command) printJSON(v any) error {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("encode the result: %w", err)
	}
	if _, err := c.env.Stdout.Write(terminal.SanitizeJSON(out.Bytes())); err != nil {
		return fmt.Errorf("write the result: %w", err)
	}
	return nil
}

// printf writes a line of a result.
func (c *command) printf(format string, args ...any) { fmt.Fprintf(c.env.Stdout, format, args...) }

// note writes a line for a person, beside the result.
func (c *command) note(cc *ucli.Context, format string, args ...any) {
	if !cc.Bool("quiet") {
		fmt.Fprintf(c.env.Stderr, format+"\n", args...)
	}
}
