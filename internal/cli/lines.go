package cli

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"

	"golang.org/x/term"
)

// mostLine is how long a line of a conversation may be, in bytes.
const mostLine = 1 << 20

// lines are what a person, or a script, types. The error io.EOF ends them.
type lines interface {
	next(ctx context.Context) (string, error)
}

// lines are edited where stdin and stderr are terminals. edited says so.
func (c *command) lines(earlier []string, complete func(string) string) (l lines, edited bool) {
	in, isFile := c.env.Stdin.(*os.File)
	_, tty := terminal(c.env.Stderr)
	if !isFile || !tty || !term.IsTerminal(int(in.Fd())) || c.env.Getenv("TERM") == "dumb" {
		scanner := bufio.NewScanner(c.env.Stdin)
		scanner.Buffer(nil, mostLine)
		return &piped{scanner}, false
	}
	t := term.NewTerminal(keyboard{in, c.env.Stderr}, "> ")
	for _, line := range earlier {
		t.History.Add(line)
	}
	t.AutoCompleteCallback = func(line string, pos int, key rune) (string, int, bool) {
		if key != '\t' || pos != len(line) {
			return "", 0, false
		}
		whole := complete(line)
		return whole, len(whole), whole != line
	}
	return &editor{in: in, terminal: t, width: func() int { w, _ := terminal(c.env.Stderr); return w }}, true
}

// await runs a read that may last, and gives up on it when the context ends:
// then the read is left behind, since nothing wakes it but its next line.
func await(ctx context.Context, read func() (string, error)) (string, error) {
	type result struct {
		line string
		err  error
	}
	done := make(chan result, 1)
	go func() {
		line, err := read()
		done <- result{line, err}
	}()
	select {
	case r := <-done:
		return r.line, r.err
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

// piped are lines of a file or another program.
type piped struct{ scanner *bufio.Scanner }

func (p *piped) next(ctx context.Context) (string, error) {
	return await(ctx, func() (string, error) {
		if p.scanner.Scan() {
			return p.scanner.Text(), nil
		}
		if err := p.scanner.Err(); err != nil {
			return "", fmt.Errorf("read a question: %w", err)
		}
		return "", io.EOF
	})
}

// editor are lines that a person edits.
type editor struct {
	in       *os.File
	terminal *term.Terminal
	width    func() int
}

// next takes the keys one by one while it waits, and lets the terminal be as it
// was when it returns, so that Ctrl-C is a signal again.
func (e *editor) next(ctx context.Context) (string, error) {
	state, err := term.MakeRaw(int(e.in.Fd()))
	if err != nil {
		return "", fmt.Errorf("read a question: %w", err)
	}
	defer func() { _ = term.Restore(int(e.in.Fd()), state) }()
	if err := e.terminal.SetSize(e.width(), 24); err != nil {
		return "", fmt.Errorf("read a question: %w", err)
	}
	line, err := await(ctx, e.terminal.ReadLine)
	if err == term.ErrPasteIndicator { //nolint:errorlint // it is a mark of this package, never wrapped
		err = nil
	}
	return line, err
}

// keyboard is a terminal whose Ctrl-C takes the line away instead of ending the input.
type keyboard struct {
	io.Reader
	io.Writer
}

// clearLine are the keys that go to the end of the line and delete it.
var clearLine = []byte{5, 21}

func (k keyboard) Read(p []byte) (int, error) {
	if len(p) < len(clearLine) {
		return k.Reader.Read(p)
	}
	keys := make([]byte, len(p)/len(clearLine))
	n, err := k.Reader.Read(keys)
	return copy(p, bytes.ReplaceAll(keys[:n], []byte{3}, clearLine)), err
}
