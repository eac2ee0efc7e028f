package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/neorag/neorag/internal/ui/terminal"
)

// maxInputBytes bounds a question or a statement on standard input.
const maxInputBytes = 1 << 20

var errNoInput = errors.New("standard input is empty")

// readStandardInput reads what a command is given on standard input, such as a question. It is
// UTF-8, and not empty; white space around it is removed.
func readStandardInput(ctx context.Context, in io.Reader, command, what string) (string, error) {
	ctx, cancel := context.WithCancel(ctx) // ends the reader if there is more than the limit
	defer cancel()
	body, err := io.ReadAll(io.LimitReader(terminal.NewContextReader(ctx, in), maxInputBytes+1))
	text := strings.TrimSpace(strings.TrimPrefix(string(body), "\ufeff"))
	switch {
	case err != nil:
		return "", fmt.Errorf("%s: read the %s: %w", command, what, err)
	case len(body) > maxInputBytes:
		return "", usage("%s: the %s on standard input is larger than 1 MB", command, what)
	case !utf8.Valid(body):
		return "", usage("%s: the %s on standard input is not UTF-8; convert it, for example with iconv", command, what)
	case text == "":
		return "", usage("%s: %w; write the %s to it", command, errNoInput, what)
	}
	return text, nil
}
