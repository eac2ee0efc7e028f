package cli

import (
	"io"
	"log/slog"

	"github.com/lmittmann/tint"

	"github.com/neorag/neorag/internal/ui/terminal"
)

// newLogger returns a logger that writes short coloured lines to a terminal, and
// plain ones elsewhere.
func newLogger(w io.Writer, level slog.Level) *slog.Logger {
	if terminal.IsTerminal(w) {
		return slog.New(tint.NewTextHandler(w, &tint.Options{Level: level, TimeFormat: "15:04:05", ReplaceAttr: terminal.SanitizeAttr}))
	}
	return slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{Level: level, ReplaceAttr: terminal.SanitizeAttr}))
}
