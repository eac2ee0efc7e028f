package cli_test

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/cli"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

// TestLocalModelsAreSuggested names a model server of this machine to commands without a
// model, once, and sends it nothing else.
func TestLocalModelsAreSuggested(t *testing.T) {
	t.Parallel()
	p := newProgram(t, neo4jtest.Server(t))
	asked := make(chan string, 16)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked <- r.Method + " " + r.URL.Path
		_, _ = w.Write([]byte(`{"data":[{"id":"qwen3:8b"},{"id":"nomic-embed-text"}]}`))
	}))
	t.Cleanup(server.Close)
	docs := letters(t)
	chat := "--base-url " + server.URL + "/v1 --model qwen3:8b"
	for _, tt := range []struct{ args, want string }{
		{"index --offline " + docs, ""},
		{"index " + docs, chat + " --embedding-model nomic-embed-text, or --offline"},
		{"index --quiet " + docs, ""},
		{"index --json " + docs, ""},
		{"query --method basic Who?", chat + ", or --offline"},
		{"query --offline --method basic Who?", ""},
		{"doctor", chat + " --embedding-model nomic-embed-text, or --offline"},
		{"doctor --json", ""},
		{"status", ""},
	} {
		var out, errs bytes.Buffer
		cli.Main(t.Context(), cli.Env{
			Args: append([]string{"neorag"}, strings.Fields(tt.args)...), Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs,
			Getenv: func(name string) string { return p.env[name] }, ModelServers: []string{strings.TrimPrefix(server.URL, "http://")},
		})
		wantLines, wantAsked := 0, ""
		if tt.want != "" {
			wantLines, wantAsked = 1, "GET /v1/models"
		}
		if got := strings.Count(errs.String(), "a model server runs"); got != wantLines || !strings.Contains(errs.String(), tt.want) {
			t.Errorf("neorag %s: stderr suggests %d times, want %d with %q:\n%s", tt.args, got, wantLines, tt.want, errs.String())
		}
		if strings.Contains(out.String(), server.URL) {
			t.Errorf("neorag %s: stdout names the server:\n%s", tt.args, out.String())
		}
		var requests []string
		for len(asked) > 0 {
			requests = append(requests, <-asked)
		}
		if got := strings.Join(requests, ","); got != wantAsked {
			t.Errorf("neorag %s asked the server for %q, want %q", tt.args, got, wantAsked)
		}
	}
}
