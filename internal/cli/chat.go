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

	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/terminal"
)

// A chat is a conversation: questions by line, and commands that begin with a slash.
type chat struct {
	c       *command
	cc      *ucli.Context
	m       *models
	engine  *query.Engine
	q       query.Question // how the next question is asked
	history *history
	edited  bool // a person types
	last    query.Answer
	failed  bool
}

// runChat talks until the input ends. A question that fails does not end it,
// but where a script asks the exit code says so.
func (c *command) runChat(cc *ucli.Context, m *models, engine *query.Engine, q query.Question, h *history) error {
	ch := &chat{c: c, cc: cc, m: m, engine: engine, q: q, history: h}
	var earlier []string
	for _, turn := range h.turns {
		earlier = append(earlier, turn.Question)
	}
	in, edited := terminal.NewLineReader(c.env.Stdin, c.env.Stderr, c.env.Getenv, earlier, ch.complete)
	ctx := cc.Context
	if ch.edited = edited; edited {
		c.ownSignals = true
		var stop func()
		ctx, stop = ownSignals(ctx)
		defer stop()
		cc.Context = ctx
		c.note(cc, "Ask about the corpus. /help lists the commands, Ctrl-D leaves.")
	}
	err := ch.talk(ctx, in)
	switch {
	case ctx.Err() != nil:
		return &userError{code: exitInterrupted, message: "interrupted", cause: ctx.Err()}
	case err == nil && ch.failed && !edited:
		c.exit = exitFailedParts
	case edited && err == nil:
		fmt.Fprintln(c.env.Stderr)
	}
	return err
}

// ownSignals is a context that SIGTERM ends and SIGINT does not, which a
// conversation takes to end an answer.
func ownSignals(ctx context.Context) (context.Context, func()) {
	ctx, stop := signal.NotifyContext(context.WithoutCancel(ctx), syscall.SIGTERM)
	interrupts := make(chan os.Signal, 1) // holds the signal's default off; answers have their own
	signal.Notify(interrupts, os.Interrupt)
	return ctx, func() {
		signal.Stop(interrupts)
		stop()
	}
}

func (ch *chat) talk(ctx context.Context, in terminal.LineReader) error {
	if ch.q.Text != "" {
		ch.answer(ctx, ch.q.Text)
	}
	for {
		line, err := in.Next(ctx)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
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
			if err := ch.command(line); err != nil {
				ch.fail(err)
			}
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
}

// fail tells of an error, and goes on.
func (ch *chat) fail(err error) {
	ch.failed = true
	ch.c.fail(err)
}

// answer answers a question. Ctrl-C ends the answer, not the conversation.
func (ch *chat) answer(ctx context.Context, text string) {
	session := ctx
	if ch.edited {
		var stop func()
		ctx, stop = signal.NotifyContext(ctx, os.Interrupt)
		defer stop()
	}
	q := ch.q
	q.Text, q.History = text, ch.history.turns
	a, err := ch.c.ask(ctx, ch.cc, ch.m, ch.engine, q)
	switch {
	case session.Err() != nil:
		return
	case ctx.Err() != nil && err != nil:
		ch.c.note(ch.cc, "\n(the answer was stopped)")
		return
	case err != nil:
		ch.fail(err)
		return
	}
	first := ch.last.Answer == ""
	ch.last = a.Answer
	if err := ch.history.add(a.Answer); err != nil {
		ch.fail(err)
	}
	if ch.cc.Bool("json") {
		ch.printLine(a.Answer)
		return
	}
	ch.c.printAnswer(a.Answer, a.shown)
	if first && len(a.References) > 0 {
		ch.c.printf("\n/trace 1 shows the words behind reference 1.\n")
	}
	ch.c.printf("\n")
}

// printLine writes an answer as a line of JSON.
func (ch *chat) printLine(a query.Answer) {
	line, err := json.Marshal(a)
	if err == nil {
		_, err = ch.c.env.Stdout.Write(append(terminal.SanitizeJSON(line), '\n'))
	}
	if err != nil {
		ch.fail(fmt.Errorf("write the answer: %w", err))
	}
}
