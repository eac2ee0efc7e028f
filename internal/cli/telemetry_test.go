package cli_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/neorag/neorag/internal/cli"
)

// A command is sent to the collector that the environment names. One that refuses changes neither
// the exit code nor stdout, and is mentioned once on stderr.
func TestTelemetry(t *testing.T) {
	var status atomic.Int32
	var bodies bytes.Buffer
	collector := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/v1/traces" {
			_, _ = io.Copy(&bodies, r.Body)
		}
		w.WriteHeader(int(status.Load()))
	}))
	defer collector.Close()
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.URL)
	t.Setenv("OTEL_EXPORTER_OTLP_HEADERS", "authorization=hidden")
	for _, c := range []struct {
		status int32
		notes  int
	}{{http.StatusOK, 0}, {http.StatusForbidden, 1}} {
		status.Store(c.status)
		bodies.Reset()
		var out, errs bytes.Buffer
		code := cli.Main(t.Context(), cli.Env{Args: []string{"neorag", "methods"}, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Getenv: os.Getenv, Home: t.TempDir()})
		if code != 0 || out.Len() == 0 {
			t.Errorf("status %d: exit %d\n%s", c.status, code, errs.String())
		}
		if !strings.Contains(bodies.String(), "neorag methods") {
			t.Errorf("status %d: the command was not sent", c.status)
		}
		if n := strings.Count(errs.String(), "telemetry"); n != c.notes || strings.Contains(errs.String(), "hidden") {
			t.Errorf("status %d: %d notes, want %d: %s", c.status, n, c.notes, errs.String())
		}
	}
}
