package server

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/server/servertest"
	"github.com/neorag/neorag/internal/server/service"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

func TestMain(m *testing.M) { neo4jtest.Main(m) }

var examples = filepath.Join("..", "..", "examples")

// start starts a server, and returns its address.
func start(t *testing.T, o Options) string {
	t.Helper()
	s := httptest.NewServer(New(o))
	t.Cleanup(s.Close)
	return s.URL
}

// TestAnswersLeadToTheirWords asks a question, and follows the link of each reference: the text at its range is
// its quote.
func TestAnswersLeadToTheirWords(t *testing.T) {
	t.Parallel()
	corpus := servertest.Sample(t, examples)
	address := start(t, Options{Version: "test", Service: servertest.Service(t, nil, corpus)})
	var a query.Answer
	request(t, http.MethodPost, address+"/api/v1/ask", `{"question":"Who was the partner of Scrooge?"}`, http.StatusOK, &a)
	if len(a.References) == 0 {
		t.Fatalf("no references: %+v", a)
	}
	for _, r := range a.References {
		if !strings.HasPrefix(r.Href, "/documents/"+corpus+"/christmas-carol/") {
			t.Errorf("reference %d leads to %s", r.N, r.Href)
		}
	}
}

// request sends a request, checks its status and decodes the response.
func request(t *testing.T, method, address, body string, status int, into any) {
	t.Helper()
	got, raw := sendBody(t, method, address, "application/json", strings.NewReader(body))
	if got != status {
		t.Fatalf("%s %s: status %d, want %d: %.500s", method, address, got, status, raw)
	}
	if into == nil {
		return
	}
	if err := json.Unmarshal([]byte(raw), into); err != nil {
		t.Fatalf("%s %s: %v: %.500s", method, address, err, raw)
	}
}

// sendBody sends a request with a body, and returns the status and the body of the response.
func sendBody(t *testing.T, method, address, contentType string, body io.Reader) (int, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, address, body)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", contentType)
	status, _, text := send(t, http.DefaultClient, r)
	return status, text
}

// send sends a request, and returns the response and its body.
func send(t *testing.T, client *http.Client, r *http.Request) (int, http.Header, string) {
	t.Helper()
	response, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, response.Header, string(body)
}

// TestNoDeadlineWhileAnswering reads the body of a request by huma, as it arrives at a route: no deadline is left that
// would end the request before its answer.
func TestNoDeadlineWhileAnswering(t *testing.T) {
	t.Parallel()
	mux := http.NewServeMux()
	api := humago.New(mux, apiConfig("test"))
	huma.Register(api, huma.Operation{Method: http.MethodPost, Path: "/"}, func(context.Context, *questionInput) (*struct{}, error) { return nil, nil })
	deadlines := &deadlines{ResponseWriter: httptest.NewRecorder()}
	limitBodies(mux).ServeHTTP(deadlines, httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/", strings.NewReader(`{"question":"Who?"}`)))
	if n := len(deadlines.set); n != 2 || deadlines.set[0].IsZero() || !deadlines.set[1].IsZero() {
		t.Errorf("deadlines %v, want one that is removed", deadlines.set)
	}
}

// A deadlines writer remembers the deadlines for reading.
type deadlines struct {
	http.ResponseWriter

	set []time.Time
}

func (d *deadlines) SetReadDeadline(at time.Time) error {
	d.set = append(d.set, at)
	return nil
}

// TestNothing requests what no route answers: the error has the form that the client knows.
func TestNothing(t *testing.T) {
	t.Parallel()
	handler := New(Options{Version: "test", Service: service.New(service.Options{})})
	for _, tt := range []struct{ method, path, accept, want string }{
		{http.MethodGet, "/api/v1/nope", "", `"reason":"not_found"`},
		{http.MethodGet, "/api/v1/ask", "", `"hint":"GET /openapi.json describes all routes"`},
		{http.MethodPost, "/v1/responses", "", `"type":"invalid_request_error"`},
		{http.MethodGet, "/nope", "text/html", "There is no such page"},
		{http.MethodGet, "/<script>", "text/html", "There is no such page"},
	} {
		r := httptest.NewRequestWithContext(t.Context(), tt.method, "http://127.0.0.1/", http.NoBody)
		r.URL.Path = tt.path
		r.Header.Set("Accept", tt.accept)
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		if w.Code != http.StatusNotFound || !strings.Contains(w.Body.String(), tt.want) || strings.Contains(w.Body.String(), "<script>") {
			t.Errorf("%s %s: %d %s, want %s", tt.method, tt.path, w.Code, w.Body, tt.want)
		}
	}
}
