package neobrowser

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Only Neo4j Browser and programs of this machine read the files.
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
		{"the head alone", "HEAD", "localhost:1", "/level0.grass", ours, 200},
		{"another page", "GET", "localhost:1", "/level0.grass", "http://evil.example", 403},
		{"another page on this machine", "GET", "localhost:1", "/level0.grass", "http://localhost:8080", 403},
		{"its preflight", "OPTIONS", "localhost:1", "/level0.grass", "http://evil.example", 403},
		{"a sandboxed page", "GET", "localhost:1", "/level0.grass", "null", 403},
		{"another name for this machine", "GET", "evil.example:1", "/level0.grass", "", 403},
		{"a name that begins alike", "GET", "localhost.evil.example", "/level0.grass", "", 403},
		{"a listing", "GET", "localhost:1", "/", "", 404},
		{"a file beside", "GET", "localhost:1", "/../serve.go", "", 404},
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
			t.Errorf("%s: %d, want %d", tt.name, w.Code, tt.want)
		}
		allowed := w.Header().Get("Access-Control-Allow-Origin")
		if granted := tt.want < 300; granted && allowed != tt.origin || w.Code == 403 && allowed != "" {
			t.Errorf("%s: allows %q", tt.name, allowed)
		}
		if private := w.Header().Get("Access-Control-Allow-Private-Network"); (private == "true") != (w.Code == http.StatusNoContent) {
			t.Errorf("%s: private network %q", tt.name, private)
		}
		if w.Code == 200 && tt.method == "GET" && w.Body.String() != "node {}" {
			t.Errorf("%s: %q", tt.name, w.Body)
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

func TestAddress(t *testing.T) {
	got := Address("http://127.0.0.1:7474", "bolt://127.0.0.1:7687", "neo4j", "http://localhost:9/guide.html")
	want := "http://127.0.0.1:7474/browser/?dbms=bolt://neo4j@127.0.0.1:7687&cmd=guide&arg=http%3A%2F%2Flocalhost%3A9%2Fguide.html"
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got := Address("http://h:7474", "neo4j://h:7687", "a b", ""); got != "http://h:7474/browser/?dbms=neo4j://a%20b@h:7687" {
		t.Error(got)
	}
}
