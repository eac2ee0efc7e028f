package terminal

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"
)

// maxLine is the longest line of a script, in bytes.
const maxLine = 1 << 20

// ErrLongLine reports a line that is too long. The next one can be read.
var ErrLongLine = fmt.Errorf("the line is longer than %d MB", maxLine>>20)

// A LineReader reads the lines that a person types, or a script contains. Next
// returns io.EOF after the last one.
type LineReader interface {
	Next(ctx context.Context) (string, error)
}

// NewLineReader reads lines from in. Where in and w are terminals, edited is true:
// w shows a prompt and the line, which can be edited; earlier lines can be recalled,
// the last one first; and the tab key replaces the line by what complete returns.
func NewLineReader(in io.Reader, w io.Writer, getenv func(string) string, earlier []string, complete func(string) string) (r LineReader, edited bool) {
	file, isFile := in.(*os.File)
	if !isFile || !IsTerminal(w) || !term.IsTerminal(int(file.Fd())) || getenv("TERM") == "dumb" {
		return &scriptReader{bufio.NewReader(in)}, false
	}
	t := term.NewTerminal(keyboard{file, w}, "> ")
	for _, line := range earlier {
		t.History.Add(OneLine(line)) // it is shown when it is recalled
	}
	t.AutoCompleteCallback = func(line string, pos int, key rune) (string, int, bool) {
		if key != '\t' || pos != len(line) {
			return "", 0, false
		}
		completed := complete(line)
		return completed, len(completed), completed != line
	}
	return &lineEditor{in: file, terminal: t, width: func() int { width, _ := Size(w); return width }}, true
}

// await runs a read that may block, and returns early when the context ends. The
// read is then left behind: only its next line wakes it.
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

// A scriptReader reads the lines of a file or of another program.
type scriptReader struct{ in *bufio.Reader }

func (r *scriptReader) Next(ctx context.Context) (string, error) { return await(ctx, r.next) }

// next reads a line. Of a line that is too long it keeps nothing more than the limit.
func (r *scriptReader) next() (string, error) {
	var line []byte
	long := false
	for {
		part, err := r.in.ReadSlice('\n')
		if long = long || len(line)+len(part) > maxLine; !long {
			line = append(line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case long && (err == nil || errors.Is(err, io.EOF)):
			return "", ErrLongLine
		case errors.Is(err, io.EOF) && len(line) == 0:
			return "", io.EOF
		case err != nil && !errors.Is(err, io.EOF):
			return "", fmt.Errorf("read a question: %w", err)
		}
		return strings.TrimRight(string(line), "\r\n"), nil
	}
}

// A lineEditor reads lines that a person edits.
type lineEditor struct {
	in       *os.File
	terminal *term.Terminal
	width    func() int
}

// Next puts the terminal into raw mode while it waits, and restores it when it
// returns, so that Ctrl-C is a signal again.
func (e *lineEditor) Next(ctx context.Context) (string, error) {
	state, err := term.MakeRaw(int(e.in.Fd()))
	if err != nil {
		return "", fmt.Errorf("read a question: %w", err)
	}
	defer func() { _ = term.Restore(int(e.in.Fd()), state) }()
	if err := e.terminal.SetSize(e.width(), 24); err != nil {
		return "", fmt.Errorf("read a question: %w", err)
	}
	line, err := await(ctx, e.terminal.ReadLine)
	if err == term.ErrPasteIndicator { //nolint:errorlint // a sentinel that is never wrapped
		err = nil
	}
	return line, err
}

// A keyboard is a terminal where Ctrl-C clears the line instead of ending the input.
type keyboard struct {
	io.Reader
	io.Writer
}

// clearLine are the keys Ctrl-E and Ctrl-U: go to the end of the line, delete it.
var clearLine = []byte{5, 21}

func (k keyboard) Read(p []byte) (int, error) {
	if len(p) < len(clearLine) {
		return k.Reader.Read(p)
	}
	keys := make([]byte, len(p)/len(clearLine))
	n, err := k.Reader.Read(keys)
	return copy(p, bytes.ReplaceAll(keys[:n], []byte{3}, clearLine)), err
}
