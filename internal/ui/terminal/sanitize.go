package terminal

import (
	"fmt"
	"io"
	"log/slog"

	"github.com/neorag/neorag/internal/text"
	"github.com/neorag/neorag/internal/text/sanitize"
)

// OneLine removes control characters from s and folds its white space, line breaks included.
func OneLine(s string) string { return text.OneLine(sanitize.Controls(s)) }

// Sanitized returns a writer that sanitizes what is written to w. Messages of servers and
// names of files thus reach a terminal without their escape sequences. A sequence that is
// split between two writes has no effect either.
func Sanitized(w io.Writer) io.Writer { return sanitizedWriter{w} }

type sanitizedWriter struct{ w io.Writer }

func (s sanitizedWriter) Write(p []byte) (int, error) {
	if _, err := io.WriteString(s.w, sanitize.Controls(string(p))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// SanitizeAttr sanitizes the values of log lines; it is a slog.HandlerOptions.ReplaceAttr.
// Handlers that colour their lines write control characters of values as they are.
func SanitizeAttr(_ []string, a slog.Attr) slog.Attr {
	a.Key = OneLine(a.Key)
	switch v := a.Value.Any().(type) {
	case string:
		a.Value = slog.StringValue(sanitize.Controls(v))
	case slog.Level:
	default:
		if a.Value.Kind() == slog.KindAny {
			a.Value = slog.StringValue(sanitize.Controls(fmt.Sprint(v)))
		}
	}
	return a
}
