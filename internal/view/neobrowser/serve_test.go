package neobrowser

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestHandler checks that only Neo4j Browser and programs on this machine can read the
// files.
func TestHandler(t *testing.T) {
	handler := Handler([]File{{"level0.grass", "text/plain", []byte("node {}")}}, Origins("http://127.0.0.1:7474"))
	const ours = "http://localhost:7474"
	tests := []struct {
		name, method, host, path, origin string
		want                             int
	}{
		{"a program", "GET", "127.0.0.1:1", "/level0.grass", "", 200},
		{"the Browser", "GET", "localhost:1", "/level0.grass", ours, 200},
		{"the Browser by the other name", "GET", "127.0.0.1:1", "/level0.grass", "http://127.0.0.1:7474", 200},
		{"its preflight", "OPTIONS", "localhost:1", "/level0.grass", ours, 204},
		{"a HEAD request", "HEAD", "localhost:1", "/level0.grass", ours, 200},
		{"another page", "GET", "localhost:1", "/level0.grass", "http://evil.example", 403},
		{"another page on this machine", "GET", "localhost:1", "/level0.grass", "http://localhost:8080", 403},
		{"its preflight", "OPTIONS", "localhost:1", "/level0.grass", "http://evil.example", 403},
		{"a sandboxed page", "GET", "localhost:1", "/level0.grass", "null", 403},
		{"another name for this machine", "GET", "evil.example:1", "/level0.grass", "", 403},
		{"a name with the same beginning", "GET", "localhost.evil.example", "/level0.grass", "", 403},
		{"a listing", "GET", "localhost:1", "/", "", 404},
		{"a file of the folder", "GET", "localhost:1", "/../serve.go", "", 404},
		{"a write", "POST", "localhost:1", "/level0.grass", ours, 405},
	}
	for _, tt := range tests {
		r := httptest.NewRequestWithContext(t.Context(), tt.method, "http://127.0.0.1/", nil)
		r.Host, r.URL.Path = tt.host, tt.path
		if tt.origin != "" {
			r.Header.Set("Origin", tt.origin)
		}
		r.Header.Set("Access-Control-Request-Private-Network", "true")
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		if w.Code != tt.want {
			t.Errorf("%s: status %d, want %d", tt.name, w.Code, tt.want)
		}
		allowed := w.Header().Get("Access-Control-Allow-Origin")
		if granted := tt.want < 300; granted && allowed != tt.origin || w.Code == 403 && allowed != "" {
			t.Errorf("%s: allows origin %q", tt.name, allowed)
		}
		if private := w.Header().Get("Access-Control-Allow-Private-Network"); (private == "true") != (w.Code == http.StatusNoContent) {
			t.Errorf("%s: allows private network %q", tt.name, private)
		}
		if w.Code == 200 && tt.method == "GET" && w.Body.String() != "node {}" {
			t.Errorf("%s: body %q", tt.name, w.Body)
		}
	}
}

func TestOrigins(t *testing.T) {
	for browser, want := range map[string][]string{
		"http://127.0.0.1:7474":    {"http://127.0.0.1:7474", "http://localhost:7474"},
		"http://localhost":         {"http://localhost", "http://127.0.0.1"},
		"https://db.example:7473/": {"https://db.example:7473"},
		"":                         nil,
	} {
		if diff := cmp.Diff(want, Origins(browser)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", browser, diff)
		}
	}
}
