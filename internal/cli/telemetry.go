package cli

import (
	"context"

	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/llm/calllog"
	"github.com/neorag/neorag/internal/sys/telemetry"
	"github.com/neorag/neorag/internal/text"
)

// telemetryErrorRunes is how much of an error of a collector is shown.
const telemetryErrorRunes = 200

// startTelemetry records a command if the environment asks for it, and returns its context.
func (env *environment) startTelemetry(ctx context.Context, command string) context.Context {
	if env.Getenv == nil {
		return ctx
	}
	env.telemetry = telemetry.Open(ctx, telemetry.Options{Getenv: env.Getenv, Version: currentBuild().name(), Warn: func(err error) {
		env.note("telemetry is incomplete, the command is not affected: %s", text.Shorten(text.FirstLine(err.Error()), telemetryErrorRunes))
	}})
	ctx, env.endSpan = env.telemetry.Command(ctx, command)
	return ctx
}

// endTelemetry records the exit code of the command, and sends what was not sent yet.
func (env *environment) endTelemetry(ctx context.Context, code int) {
	if env.endSpan != nil {
		env.endSpan(code)
	}
	env.telemetry.Close(ctx)
}

// traceCall records a call of a model, without what was asked and answered.
func (env *environment) traceCall(ctx context.Context, server string, c llm.Call) {
	operation := "chat"
	switch c.Task {
	case llm.TaskEmbed:
		operation = "embeddings"
	case taskRerank:
		operation = "rerank"
	}
	env.telemetry.Call(ctx, telemetry.Call{
		Start: c.Start, Duration: c.Duration, Operation: operation, Model: c.Model, Server: server, Task: c.Task,
		TokensIn: c.Response.Usage.TokensIn, TokensOut: c.Response.Usage.TokensOut, Cached: c.Response.Cached, Error: calllog.KindOf(c.Err),
	})
}
