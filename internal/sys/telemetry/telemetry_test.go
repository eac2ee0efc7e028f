package telemetry_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"sort"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	collectormetrics "go.opentelemetry.io/proto/otlp/collector/metrics/v1"
	collectortrace "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/neorag/neorag/internal/sys/telemetry"
)

// A collector receives traces and metrics over OTLP.
type collector struct {
	*httptest.Server

	mu      sync.Mutex
	traces  []*collectortrace.ExportTraceServiceRequest
	metrics []*collectormetrics.ExportMetricsServiceRequest
	header  http.Header
}

func newCollector(t *testing.T) *collector {
	t.Helper()
	c := &collector{}
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := c.receive(r); err != nil {
			t.Errorf("%s: %v", r.URL.Path, err)
		}
		w.Header().Set("Content-Type", "application/x-protobuf")
	}))
	t.Cleanup(c.Close)
	return c
}

// receive keeps what a request has.
func (c *collector) receive(r *http.Request) error {
	body := io.Reader(r.Body)
	if r.Header.Get("Content-Encoding") == "gzip" {
		unzipped, err := gzip.NewReader(body)
		if err != nil {
			return err
		}
		body = unzipped
	}
	b, err := io.ReadAll(body)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.header = r.Header
	switch r.URL.Path {
	case "/v1/traces":
		m := &collectortrace.ExportTraceServiceRequest{}
		c.traces = append(c.traces, m)
		return proto.Unmarshal(b, m)
	case "/v1/metrics":
		m := &collectormetrics.ExportMetricsServiceRequest{}
		c.metrics = append(c.metrics, m)
		return proto.Unmarshal(b, m)
	}
	return errors.New("no such path")
}

// spans returns the received spans by name.
func (c *collector) spans() map[string]*tracepb.Span {
	out := map[string]*tracepb.Span{}
	for _, m := range c.traces {
		for _, r := range m.GetResourceSpans() {
			for _, s := range r.GetScopeSpans() {
				for _, span := range s.GetSpans() {
					out[span.GetName()] = span
				}
			}
		}
	}
	return out
}

// metricNames returns the sorted names of the received metrics.
func (c *collector) metricNames() (names []string) {
	for _, m := range c.metrics {
		for _, r := range m.GetResourceMetrics() {
			for _, s := range r.GetScopeMetrics() {
				for _, metric := range s.GetMetrics() {
					names = append(names, metric.GetName())
				}
			}
		}
	}
	sort.Strings(names)
	return names
}

// record records a command with a stage and a call of a model.
func record(t *testing.T) (warnings []error) {
	t.Helper()
	o := telemetry.Open(t.Context(), telemetry.Options{Getenv: os.Getenv, Version: "1.2.3", Warn: func(err error) { warnings = append(warnings, err) }})
	ctx, endCommand := o.Command(t.Context(), "index")
	stage, endStage := o.Stage(ctx, "extract")
	o.Call(stage, telemetry.Call{
		Start: time.Now(), Duration: time.Second, Operation: "chat", Model: "m", Server: "localhost:11434", Task: "extract", TokensIn: 7, TokensOut: 3, Error: "timeout",
	})
	endStage(errors.New("a text of a document"))
	endCommand(3)
	o.Close(t.Context())
	return warnings
}

func TestSent(t *testing.T) {
	c := newCollector(t)
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", c.URL)
	t.Setenv("OTEL_EXPORTER_OTLP_HEADERS", "authorization=secret")
	t.Setenv("OTEL_SERVICE_NAME", "docs")
	t.Setenv("OTEL_RESOURCE_ATTRIBUTES", "team=search")
	if warnings := record(t); len(warnings) > 0 {
		t.Fatal(warnings)
	}
	spans := c.spans()
	command, stage, call := spans["neorag index"], spans["index extract"], spans["chat m"]
	if command == nil || stage == nil || call == nil {
		t.Fatalf("spans %v", spans)
	}
	if !bytes.Equal(stage.GetParentSpanId(), command.GetSpanId()) || !bytes.Equal(call.GetParentSpanId(), stage.GetSpanId()) {
		t.Error("the call is no part of the stage, or the stage no part of the command")
	}
	got := map[string]string{}
	for _, a := range append(call.GetAttributes(), command.GetAttributes()...) {
		got[a.GetKey()] = strings.Trim(a.GetValue().String()[strings.Index(a.GetValue().String(), ":")+1:], ` "`)
	}
	want := map[string]string{
		"gen_ai.operation.name": "chat", "gen_ai.request.model": "m", "gen_ai.usage.input_tokens": "7", "gen_ai.usage.output_tokens": "3",
		"server.address": "localhost", "server.port": "11434", "error.type": "timeout", "neorag.task": "extract", "neorag.cached": "false",
		"neorag.command": "index", "process.exit.code": "3",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("attributes (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"gen_ai.client.operation.duration", "gen_ai.client.token.usage"}, c.metricNames()); diff != "" {
		t.Errorf("metrics (-want +got):\n%s", diff)
	}
	if c.header.Get("Authorization") != "secret" {
		t.Error("the headers of the environment are not sent")
	}
	resource := c.traces[0].GetResourceSpans()[0].GetResource().String()
	for _, v := range []string{"docs", "search", "1.2.3"} {
		if !strings.Contains(resource, v) {
			t.Errorf("the resource %s has no %q", resource, v)
		}
	}
	if all := c.traces[0].String(); strings.Contains(all, "a text of a document") {
		t.Errorf("the text of an error is sent: %s", all)
	}
}

// What is switched off is not sent.
func TestSwitches(t *testing.T) {
	for name, c := range map[string]struct {
		set             map[string]string
		traces, metrics bool
	}{
		"nothing":      {map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": ""}, false, false},
		"disabled":     {map[string]string{"OTEL_SDK_DISABLED": "true"}, false, false},
		"no traces":    {map[string]string{"OTEL_TRACES_EXPORTER": "none"}, false, true},
		"no metrics":   {map[string]string{"OTEL_METRICS_EXPORTER": "none"}, true, false},
		"traces alone": {map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "/v1/traces"}, true, false},
	} {
		t.Run(name, func(t *testing.T) {
			received := newCollector(t)
			t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", received.URL)
			for k, v := range c.set {
				if strings.HasPrefix(v, "/") {
					v = received.URL + v
				}
				t.Setenv(k, v)
			}
			record(t)
			if traces, metrics := len(received.traces) > 0, len(received.metrics) > 0; traces != c.traces || metrics != c.metrics {
				t.Errorf("traces %v, metrics %v; want %v, %v", traces, metrics, c.traces, c.metrics)
			}
		})
	}
}

// A collector that cannot be reached is reported once, without the headers and the password of its
// address.
func TestUnreachableCollector(t *testing.T) {
	gone := httptest.NewServer(nil)
	gone.Close()
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", strings.Replace(gone.URL, "http://", "http://user:secret@", 1))
	t.Setenv("OTEL_EXPORTER_OTLP_HEADERS", "no-value-of-secret")
	warnings := record(t)
	if len(warnings) != 1 || strings.Contains(warnings[0].Error(), "secret") {
		t.Errorf("warnings %v", warnings)
	}
}

// Without a collector nothing is recorded, and every method can be called.
func TestNothing(t *testing.T) {
	t.Parallel()
	o := telemetry.Open(t.Context(), telemetry.Options{Getenv: func(string) string { return "" }})
	if o != nil {
		t.Fatal("telemetry is on")
	}
	ctx, end := o.Command(context.Background(), "index")
	_, endStage := o.Stage(ctx, "extract")
	o.Call(ctx, telemetry.Call{})
	endStage(nil)
	end(0)
	o.Close(ctx)
}
