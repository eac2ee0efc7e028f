package cli

import (
	"io"
	"log/slog"
	"strings"

	"github.com/lmittmann/tint"

	"github.com/neorag/neorag/internal/config"
	"github.com/neorag/neorag/internal/ui/terminal"
)

// logsJSON reports whether everything on stderr is JSON. It is false before the settings are
// known.
func (env *environment) logsJSON() bool {
	return env.settings != nil && env.settings.Text("log.format") == config.LogJSON
}

// logLevel returns the level from which on messages are logged: the level of the
// settings, else debug with --verbose, else a standard level.
func (env *environment) logLevel(standard slog.Level) slog.Level {
	if env.settings != nil {
		switch env.settings.Text("log.level") {
		case config.LogDebug:
			return slog.LevelDebug
		case config.LogInfo:
			return slog.LevelInfo
		case config.LogWarn:
			return slog.LevelWarn
		case config.LogError:
			return slog.LevelError
		}
	}
	if env.verbose {
		return slog.LevelDebug
	}
	return standard
}

// logger writes messages to stderr: warnings, unless the settings or --verbose choose another level.
func (env *environment) logger() *slog.Logger { return env.newLogger(env.logLevel(slog.LevelWarn)) }

// progressLogger logs the progress of a run where there is no terminal to show it.
func (env *environment) progressLogger() *slog.Logger {
	return env.newLogger(max(env.logLevel(slog.LevelInfo), slog.LevelInfo))
}

// newLogger returns a logger that writes short coloured lines to a terminal, plain ones
// elsewhere, and JSON if the settings say so.
func (env *environment) newLogger(level slog.Level) *slog.Logger {
	options := &slog.HandlerOptions{Level: level, ReplaceAttr: terminal.SanitizeAttr}
	switch {
	case env.logsJSON():
		return slog.New(slog.NewJSONHandler(env.Stderr, options))
	case terminal.IsTerminal(env.Stderr):
		return slog.New(tint.NewTextHandler(env.Stderr, &tint.Options{Level: level, TimeFormat: "15:04:05", ReplaceAttr: options.ReplaceAttr}))
	}
	return slog.New(slog.NewTextHandler(env.Stderr, options))
}

// messages returns stderr for errors and notes, which may hold messages of servers and
// names of files, without their control characters. Where stderr is JSON, each text that is
// written becomes a message of the log, at any level.
func (env *environment) messages() io.Writer {
	if env.logsJSON() {
		return messageWriter{env.newLogger(slog.LevelInfo)}
	}
	return terminal.Sanitized(env.Stderr)
}

// messageWriter logs what is written.
type messageWriter struct{ log *slog.Logger }

// Write logs one message.
func (w messageWriter) Write(p []byte) (int, error) {
	if text := strings.TrimSpace(string(p)); text != "" {
		w.log.Info("note", "text", text)
	}
	return len(p), nil
}

// logFailure logs the error that ends a command.
func (env *environment) logFailure(u *userError) {
	env.newLogger(slog.LevelInfo).Error("the command failed", "error", u.message, "hint", u.hint, "code", u.code)
}

// stderrWithoutTerminal returns stderr for what redraws lines on a terminal, which it does not
// where stderr is JSON.
func (env *environment) stderrWithoutTerminal() io.Writer {
	if env.logsJSON() {
		return struct{ io.Writer }{env.Stderr}
	}
	return env.Stderr
}
