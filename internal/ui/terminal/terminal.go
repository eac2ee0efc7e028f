// Package terminal writes for a person at a terminal: tables, a spinner, the
// progress of a run, an answer while a model writes it, Markdown with styles. It
// also reads the lines that a person types. Where a stream is not a terminal, the
// same calls write plain text or nothing.
package terminal

import (
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"github.com/neorag/neorag/internal/text/sanitize"
	"github.com/neorag/neorag/internal/ui/markdown"
)

// defaultWidth is the width where none is known.
const defaultWidth = 80

// Size returns the width of a stream in columns, and whether it is a terminal.
func Size(stream any) (width int, isTerminal bool) {
	f, isFile := stream.(*os.File)
	if !isFile || !term.IsTerminal(int(f.Fd())) {
		return defaultWidth, false
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil || width < 20 {
		width = defaultWidth
	}
	return width, true
}

// IsTerminal reports whether a stream is a terminal.
func IsTerminal(stream any) bool {
	_, ok := Size(stream)
	return ok
}

// styled returns the width of the terminal that w is, if text may be laid out and
// styled there: not with NO_COLOR, and not on a dumb terminal.
func styled(w io.Writer, getenv func(string) string) (width int, ok bool) {
	width, isTerminal := Size(w)
	return width, isTerminal && getenv("NO_COLOR") == "" && getenv("TERM") != "dumb"
}

// PrintMarkdown writes Markdown: laid out and styled on a terminal, unchanged
// except for control characters elsewhere.
func PrintMarkdown(w io.Writer, getenv func(string) string, text string) {
	if width, ok := styled(w, getenv); ok {
		fmt.Fprint(w, markdown.Terminal(text, width))
		return
	}
	fmt.Fprintln(w, sanitize.Controls(strings.TrimRight(text, "\n")))
}
