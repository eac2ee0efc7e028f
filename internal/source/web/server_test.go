package web

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/neorag/neorag/internal/source"
)

// A response is what a testServer sends; the zero value is an empty page. A page without a
// Content-Type is HTML.
type response struct {
	status int // 0 means 200
	header map[string]string
	body   string
}

func page(body string) response { return response{body: body} }

func redirect(to string) response {
	return response{status: http.StatusFound, header: map[string]string{"Location": to}}
}

func typed(mediaType, body string) response {
	return response{header: map[string]string{"Content-Type": mediaType}, body: body}
}

// A testServer serves pages by path and query, and 404 for others.
type testServer struct {
	*httptest.Server
	mu       sync.Mutex
	pages    map[string]response
	requests []*http.Request
}

func serve(t *testing.T, pages map[string]response) *testServer {
	t.Helper()
	s := &testServer{pages: pages}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

func (s *testServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	p, ok := s.pages[r.URL.RequestURI()]
	s.requests = append(s.requests, r)
	s.mu.Unlock()
	if !ok {
		p.status = http.StatusNotFound
	}
	w.Header().Set("Content-Type", "text/html")
	for key, value := range p.header {
		if value == "" {
			w.Header()[key] = nil // not even what the server would add
		} else {
			w.Header().Set(key, value)
		}
	}
	if p.status != 0 {
		w.WriteHeader(p.status)
	}
	_, _ = w.Write([]byte(p.body))
}

// requested returns the paths that were requested, in order.
func (s *testServer) requested() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var paths []string
	for _, r := range s.requests {
		paths = append(paths, r.URL.RequestURI())
	}
	return paths
}

// host returns the host and port.
func (s *testServer) host() string { return strings.TrimPrefix(s.URL, "http://") }

// without returns a text with SITE for the host and port of the server.
func (s *testServer) without(text string) string { return strings.ReplaceAll(text, s.host(), "SITE") }

// uris returns the URIs of files.
func (s *testServer) uris(files []source.File) []string {
	var uris []string
	for _, f := range files {
		uris = append(uris, s.without(f.URI))
	}
	return uris
}

// errors returns the URIs of failures with their messages.
func (s *testServer) errors(failures []source.Failure) map[string]string {
	all := map[string]string{}
	for _, f := range failures {
		all[s.without(f.URI)] = s.without(f.Err.Error())
	}
	return all
}

// onlyPorts makes the loopback addresses of some servers public ones.
func onlyPorts(t *testing.T, servers ...*testServer) Options {
	t.Helper()
	allowed := map[netip.AddrPort]bool{}
	for _, s := range servers {
		allowed[netip.MustParseAddrPort(s.host())] = true
	}
	return Options{public: func(a netip.AddrPort) bool { return allowed[a] || isPublic(a.Addr()) }}
}

func sortedKeys(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }
