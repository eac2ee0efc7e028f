// Package telemetry sends traces and metrics to an OpenTelemetry collector, if the environment
// names one (OTEL_EXPORTER_OTLP_ENDPOINT and the other usual variables). Spans and metrics have
// names and numbers, never texts, questions or keys.
//
// In: commands, stages and calls of models. Out: spans and metrics, over OTLP and HTTP.
package telemetry

import (
	"context"
	"errors"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/go-logr/logr"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetrichttp"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/metric/noop"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
	tracenoop "go.opentelemetry.io/otel/trace/noop"
)

// flushTime is how long a command waits at its end for what was not sent yet.
const flushTime = 3 * time.Second

// scope is the name of the instrumentation.
const scope = "github.com/neorag/neorag"

// A Telemetry records what a process does. Nil records nothing.
type Telemetry struct {
	tracer   trace.Tracer
	tokens   metric.Int64Histogram
	duration metric.Float64Histogram
	closers  []func(context.Context) error
	failed   func(error) // reports the first failure
}

// Options configure a Telemetry.
type Options struct {
	Getenv  func(string) string // switches it on; the exporters read the environment of the process
	Version string              // of this program
	Warn    func(error)         // called at most once, with the first error of sending
}

// enabled reports whether a signal, TRACES or METRICS, is sent.
func (o Options) enabled(signal string) bool {
	if strings.EqualFold(strings.TrimSpace(o.Getenv("OTEL_SDK_DISABLED")), "true") {
		return false
	}
	exporter := strings.ToLower(strings.TrimSpace(o.Getenv("OTEL_" + signal + "_EXPORTER")))
	if exporter != "" && exporter != "otlp" {
		return false
	}
	return o.Getenv("OTEL_EXPORTER_OTLP_ENDPOINT") != "" || o.Getenv("OTEL_EXPORTER_OTLP_"+signal+"_ENDPOINT") != ""
}

// Open starts to record if the environment asks for it, else it returns nil. The caller closes
// the Telemetry.
func Open(ctx context.Context, o Options) *Telemetry {
	traces, metrics := o.enabled("TRACES"), o.enabled("METRICS")
	if !traces && !metrics {
		return nil
	}
	var once sync.Once
	t := &Telemetry{failed: func(err error) { once.Do(func() { o.Warn(withoutAddress(err)) }) }}
	otel.SetLogger(logr.Discard()) // it logs headers that it cannot parse
	otel.SetErrorHandler(otel.ErrorHandlerFunc(t.failed))
	about, err := resource.New(ctx,
		resource.WithTelemetrySDK(),
		resource.WithAttributes(attribute.String("service.name", "neorag"), attribute.String("service.version", o.Version)),
		resource.WithFromEnv())
	if err != nil {
		t.failed(errors.New("OTEL_RESOURCE_ATTRIBUTES cannot be read"))
	}
	t.tracer = tracenoop.NewTracerProvider().Tracer(scope)
	if traces {
		t.sendTraces(ctx, about)
	}
	if metrics {
		t.createInstruments(t.sendMetrics(ctx, about))
	} else {
		t.createInstruments(noop.NewMeterProvider().Meter(scope))
	}
	return t
}

// sendTraces creates the tracer.
func (t *Telemetry) sendTraces(ctx context.Context, about *resource.Resource) {
	exporter, err := otlptracehttp.New(ctx)
	if err != nil {
		t.failed(err)
		return
	}
	provider := sdktrace.NewTracerProvider(sdktrace.WithBatcher(exporter), sdktrace.WithResource(about))
	t.tracer = provider.Tracer(scope)
	t.closers = append(t.closers, provider.Shutdown)
}

// sendMetrics returns a meter whose measurements are sent.
func (t *Telemetry) sendMetrics(ctx context.Context, about *resource.Resource) metric.Meter {
	exporter, err := otlpmetrichttp.New(ctx)
	if err != nil {
		t.failed(err)
		return noop.NewMeterProvider().Meter(scope)
	}
	provider := sdkmetric.NewMeterProvider(sdkmetric.WithReader(sdkmetric.NewPeriodicReader(exporter)), sdkmetric.WithResource(about))
	t.closers = append(t.closers, provider.Shutdown)
	return provider.Meter(scope)
}

// createInstruments creates the metrics, with the bounds that the conventions for generative AI recommend.
func (t *Telemetry) createInstruments(meter metric.Meter) {
	var err error
	t.tokens, err = meter.Int64Histogram("gen_ai.client.token.usage", metric.WithUnit("{token}"), metric.WithDescription("tokens that calls of models used"),
		metric.WithExplicitBucketBoundaries(1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216, 67108864))
	if err != nil {
		t.failed(err)
	}
	t.duration, err = meter.Float64Histogram("gen_ai.client.operation.duration", metric.WithUnit("s"), metric.WithDescription("time that calls of models took, with all attempts and waits"),
		metric.WithExplicitBucketBoundaries(.01, .02, .04, .08, .16, .32, .64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92))
	if err != nil {
		t.failed(err)
	}
}

// withoutAddress returns an error without the address that was called, which may have a password.
func withoutAddress(err error) error {
	if called, ok := errors.AsType[*url.Error](err); ok {
		return called.Err
	}
	return err
}

// Command records a command until end is called with its exit code.
func (t *Telemetry) Command(ctx context.Context, name string) (_ context.Context, end func(code int)) {
	if t == nil {
		return ctx, func(int) {}
	}
	ctx, span := t.tracer.Start(ctx, "neorag "+name, trace.WithAttributes(attribute.String("neorag.command", name)))
	return ctx, func(code int) {
		span.SetAttributes(attribute.Int("process.exit.code", code))
		if code != 0 {
			span.SetStatus(codes.Error, "")
		}
		span.End()
	}
}

// Stage records a stage of an index run until end is called with its error.
func (t *Telemetry) Stage(ctx context.Context, name string) (_ context.Context, end func(error)) {
	if t == nil {
		return ctx, func(error) {}
	}
	ctx, span := t.tracer.Start(ctx, "index "+name, trace.WithAttributes(attribute.String("neorag.stage", name)))
	return ctx, func(err error) {
		if err != nil {
			span.SetStatus(codes.Error, "")
		}
		span.End()
	}
}

// Close sends what was not sent yet, and gives up after a few seconds.
func (t *Telemetry) Close(ctx context.Context) {
	if t == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), flushTime)
	defer cancel()
	var closing sync.WaitGroup
	for _, c := range t.closers {
		closing.Go(func() {
			if err := c(ctx); err != nil {
				t.failed(err)
			}
		})
	}
	closing.Wait()
}
