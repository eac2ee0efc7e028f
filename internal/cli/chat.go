package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/neorag/neorag/internal/cli/userdata"
	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/text/sanitize"
	"github.com/neorag/neorag/internal/ui/terminal"
)

// A chat is a conversation: one question per line, and commands that begin with a
// slash.
type chat struct {
	asker

	question query.Question // its text is the first question, if any; the rest applies to all
	history  *userdata.History
	edited   bool         // a person types on a terminal
	last     query.Answer // the zero value before the first answer
	failed   bool         // a question or a command failed
}

// runChat reads questions until the input ends. A question that fails does not end
// the conversation; where the input is not a terminal it determines the exit code.
func runChat(ctx context.Context, ch *chat) error {
	env := ch.env
	var earlier []string
	for _, turn := range ch.history.Turns {
		earlier = append(earlier, turn.Question)
	}
	var in terminal.LineReader
	in, ch.edited = terminal.NewLineReader(env.Stdin, env.Stderr, env.Getenv, earlier, completeChatLine)
	if ch.edited {
		env.handlesSignals.Store(true)
		var stop func()
		ctx, stop = ignoreInterrupts(ctx)
		defer stop()
		env.note("Ask about the corpus. /help lists the commands; Ctrl-D exits.")
	}
	err := ch.run(ctx, in)
	switch {
	case ctx.Err() != nil:
		return &userError{code: exitInterrupted, message: "interrupted", cause: ctx.Err()}
	case err == nil && ch.failed && !ch.edited:
		env.exit = exitFailedParts
	case ch.edited && err == nil:
		fmt.Fprintln(env.Stderr)
	}
	return err
}

// ignoreInterrupts returns a context that SIGTERM cancels and SIGINT does not: in a
// conversation SIGINT only stops an answer.
func ignoreInterrupts(ctx context.Context) (context.Context, func()) {
	ctx, stop := signal.NotifyContext(context.WithoutCancel(ctx), syscall.SIGTERM)
	interrupts := make(chan os.Signal, 1) // replaces the default action; nobody reads it
	signal.Notify(interrupts, os.Interrupt)
	return ctx, func() {
		signal.Stop(interrupts)
		stop()
	}
}

// run answers questions and runs commands, line by line.
func (ch *chat) run(ctx context.Context, in terminal.LineReader) error {
	if ch.question.Text != "" {
		ch.answer(ctx, ch.question.Text)
	}
	for {
		line, err := in.Next(ctx)
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.Is(err, terminal.ErrLongLine):
			ch.fail(failure(err, err.Error()+" and was left out", "ask a shorter question; `neorag index -` adds a long text to the corpus"))
			continue
		case err != nil:
			return err
		}
		line = strings.TrimSpace(line)
		switch {
		case line == "":
			continue
		case !strings.HasPrefix(line, "/"):
			ch.answer(ctx, line)
		case line == "/quit":
			return nil
		default:
			if err := ch.command(ctx, line); err != nil {
				ch.fail(err)
			}
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
}

// fail prints an error and continues the conversation.
func (ch *chat) fail(err error) {
	ch.failed = true
	ch.env.printError(err)
}

// answer answers a question. Ctrl-C stops the answer, not the conversation.
func (ch *chat) answer(ctx context.Context, text string) {
	conversation := ctx
	if ch.edited {
		var stop func()
		ctx, stop = signal.NotifyContext(ctx, os.Interrupt)
		defer stop()
	}
	q := ch.question
	q.Text, q.History = text, ch.history.Turns
	a, err := ch.ask(ctx, q)
	switch {
	case conversation.Err() != nil:
		return
	case ctx.Err() != nil && err != nil:
		ch.env.note("\n(answer stopped)")
		return
	case err != nil:
		ch.fail(err)
		return
	}
	first := ch.last.Answer == ""
	ch.last = a.Answer
	if err := ch.history.Add(a.Answer); err != nil {
		ch.fail(err)
	}
	if ch.env.json {
		ch.printJSONLine(a.Answer)
		return
	}
	printAnswer(ch.env, a)
	if first {
		printHints(ch.env, a.Answer, "/trace 1", ch.env.verbose)
	}
	ch.env.printf("\n")
}

// printJSONLine prints an answer as one line of JSON.
func (ch *chat) printJSONLine(a query.Answer) {
	line, err := json.Marshal(a)
	if err == nil {
		_, err = ch.env.Stdout.Write(append(sanitize.JSON(line), '\n'))
	}
	if err != nil {
		ch.fail(fmt.Errorf("write the answer: %w", err))
	}
}
