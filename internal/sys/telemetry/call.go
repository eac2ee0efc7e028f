package telemetry

import (
	"context"
	"net"
	"strconv"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/trace"
)

// A Call is a call of a model that has ended.
type Call struct {
	Start     time.Time
	Duration  time.Duration
	Operation string // chat, embeddings or rerank
	Model     string
	Server    string // host and port
	Task      string
	TokensIn  int64
	TokensOut int64
	Cached    bool
	Error     string // kind of the error, "" for none
}

// Call records a call of a model as a part of what ctx belongs to. An answer from the cache is a
// span, but no measurement: no model was called.
func (t *Telemetry) Call(ctx context.Context, c Call) {
	if t == nil {
		return
	}
	shared := []attribute.KeyValue{attribute.String("gen_ai.operation.name", c.Operation), attribute.String("gen_ai.request.model", c.Model)}
	host, port, err := net.SplitHostPort(c.Server)
	if err != nil {
		host = c.Server
	}
	shared = append(shared, attribute.String("server.address", host))
	if n, err := strconv.Atoi(port); err == nil {
		shared = append(shared, attribute.Int("server.port", n))
	}
	end := c.Start.Add(c.Duration)
	_, span := t.tracer.Start(ctx, c.Operation+" "+c.Model, trace.WithTimestamp(c.Start), trace.WithSpanKind(trace.SpanKindClient), trace.WithAttributes(shared...), trace.WithAttributes(
		attribute.String("neorag.task", c.Task), attribute.Bool("neorag.cached", c.Cached),
		attribute.Int64("gen_ai.usage.input_tokens", c.TokensIn), attribute.Int64("gen_ai.usage.output_tokens", c.TokensOut)))
	failure := attribute.String("error.type", c.Error)
	if c.Error != "" {
		span.SetAttributes(failure)
		span.SetStatus(codes.Error, "")
	}
	span.End(trace.WithTimestamp(end))
	if c.Cached {
		return
	}
	ctx = trace.ContextWithSpan(context.WithoutCancel(ctx), span)
	for kind, n := range map[string]int64{"input": c.TokensIn, "output": c.TokensOut} {
		if n > 0 {
			t.tokens.Record(ctx, n, metric.WithAttributes(shared...), metric.WithAttributes(attribute.String("gen_ai.token.type", kind)))
		}
	}
	measured := []metric.RecordOption{metric.WithAttributes(shared...)}
	if c.Error != "" {
		measured = append(measured, metric.WithAttributes(failure))
	}
	t.duration.Record(ctx, c.Duration.Seconds(), measured...)
}
