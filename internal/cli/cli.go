package cli

import (
	"cmp"
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/neorag/neorag/internal/llm/localmodels"
	"github.com/neorag/neorag/internal/ui/terminal"
)

// Env is what a command sees of its process.
type Env struct {
	Args   []string // starting with the program's name
	Stdin  io.Reader
	Stdout io.Writer
	Stderr io.Writer
	Getenv func(string) string
	Dir    string // working directory; "" means the process's
	Home   string // folder of local servers and answers; "" means the user's data folder
	// ModelServers are the addresses of this machine at which a command without a model
	// looks for one.
	ModelServers []string
	// Exit ends the process of a command that does not end by itself after a signal; nil waits.
	Exit func(code int)
}

// OS returns the environment of this process.
func OS() Env {
	return Env{
		Args: os.Args, Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Getenv: os.Getenv,
		ModelServers: localmodels.UsualAddresses(), Exit: os.Exit,
	}
}

// Process runs a command as this process and returns its exit code. SIGINT and
// SIGTERM cancel the command, and end the process by force if it does not answer; a second signal
// ends it immediately.
func Process(e Env) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	return Main(ctx, e)
}

// Main runs one command and returns its exit code.
func Main(ctx context.Context, e Env) int {
	written := &result{to: e.Stdout}
	if !terminal.IsTerminal(e.Stdout) {
		e.Stdout = written
	}
	env := &environment{Env: e}
	defer endByForce(ctx, env)()
	app := newApp(env)
	code := finishCommand(ctx, env, written, app.RunContext(ctx, flagsFirst(app, e.Args)))
	env.endTelemetry(ctx, code)
	return code
}

// finishCommand ends what a command shares, prints its error and returns its exit code.
func finishCommand(ctx context.Context, env *environment, written *result, err error) int {
	err = cmp.Or(err, env.close())
	if err == nil {
		err = written.failure()
	}
	if err == nil {
		return env.exit
	}
	if ctx.Err() != nil && !env.handlesSignals.Load() {
		interrupted := &userError{code: exitInterrupted, message: "interrupted"}
		if env.resumable.Load() {
			interrupted.hint = "run the same command again: it continues where it stopped"
		}
		err = interrupted
	}
	return env.printError(err)
}
