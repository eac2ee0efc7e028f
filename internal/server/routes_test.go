package server

import (
	"bytes"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/danielgtaylor/huma/v2"

	"github.com/neorag/neorag/internal/server/files"
	"github.com/neorag/neorag/internal/server/runs"
	"github.com/neorag/neorag/internal/server/servertest"
)

// A route is a route of the API with a request that it can answer.
type route struct {
	method, path, body string
	corpus             bool // the path or the body names a corpus
}

// routesOf returns all routes of the API, with requests that name a corpus.
func routesOf(t *testing.T, o Options, corpus string) []route {
	t.Helper()
	bodies := map[string]string{
		"/api/v1/context": `{"question":"Who was Marley?","method":"basic","corpora":["` + corpus + `"]}`, "/api/v1/ask": `{"question":"Who was Marley?","method":"basic","corpora":["` + corpus + `"]}`,
		"/api/v1/ask/stream": `{"question":"Who was Marley?","method":"basic","corpora":["` + corpus + `"]}`, "/dify/retrieval": `{"knowledge_id":"` + corpus + `","query":"Marley","retrieval_setting":{"top_k":3}}`,
	}
	values := strings.NewReplacer("{corpus}", corpus, "{report}", "C0_0", "{file}", "a.txt")
	queries := map[string]string{"/api/v1/corpora/{corpus}/text": "?document=" + corpus + "/christmas-carol/stave-1.txt", "/api/v1/corpora/{corpus}/entity": "?name=Scrooge"}
	var routes []route
	for path, item := range (&server{Options: o}).register(http.NewServeMux()).Paths {
		for method, operation := range map[string]*huma.Operation{http.MethodGet: item.Get, http.MethodPost: item.Post, http.MethodDelete: item.Delete} {
			if operation != nil {
				body := bodies[path]
				if body == "" && method == http.MethodPost {
					body = "{}"
				}
				routes = append(routes, route{method, values.Replace(path) + queries[path], body, strings.Contains(path, "{corpus}") || bodies[path] != ""})
			}
		}
	}
	if len(routes) < 12 {
		t.Fatalf("only %d routes: %v", len(routes), routes)
	}
	slices.SortFunc(routes, func(a, b route) int { return strings.Compare(a.path+a.method, b.path+b.method) })
	return routes
}

// A lockedBuffer is a log of concurrent requests.
type lockedBuffer struct {
	mu sync.Mutex
	bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.Buffer.Write(p)
}

// TestEveryRouteIsFenced asks every route with every kind of credential and origin, and for corpora that are not
// shown or do not exist. Neither replies nor logs have the token, a path of the server, or a question.
func TestEveryRouteIsFenced(t *testing.T) {
	t.Parallel()
	corpus := servertest.Sample(t, examples)
	hidden := servertest.Index(t, map[string]string{"secret.txt": "Clara Hale hid the silver spoon."})
	var log lockedBuffer
	logger := slog.New(slog.NewJSONHandler(&log, nil))
	folder := &files.Folder{Path: t.TempDir()}
	o := Options{
		Version: "test", Service: servertest.Service(t, nil, corpus), Fence: Fence{Token: testToken, Log: logger}, Log: logger,
		Files: folder, Runs: runs.New(runs.Options{Queue: servertest.NewQueue()}),
	}
	address := start(t, o)
	replies := &strings.Builder{}
	ask := func(r route, headers map[string]string) (int, string) {
		status, body := sendWith(t, r, address, headers)
		replies.WriteString(body)
		return status, body
	}
	bearer := "Bearer " + testToken
	for _, r := range routesOf(t, o, corpus) {
		open := r.path == "/healthz"
		for _, tt := range []struct {
			name    string
			headers map[string]string
			status  int
		}{
			{"no token", nil, http.StatusUnauthorized},
			{"a wrong token", map[string]string{"Authorization": bearer + "x"}, http.StatusUnauthorized},
			{"a foreign host", map[string]string{"Authorization": bearer, "Host": "evil.example"}, http.StatusMisdirectedRequest},
			{"a foreign origin", map[string]string{"Authorization": bearer, "Origin": "https://evil.example"}, http.StatusForbidden},
			{"an opaque origin", map[string]string{"Authorization": bearer, "Origin": "null"}, http.StatusForbidden},
			{"another site", map[string]string{"Authorization": bearer, "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}, http.StatusForbidden},
		} {
			if open && tt.status == http.StatusUnauthorized {
				tt.status = http.StatusOK
			}
			if status, body := ask(r, tt.headers); status != tt.status {
				t.Errorf("%s %s with %s: %d %.200s, want %d", r.method, r.path, tt.name, status, body, tt.status)
			}
		}
		status, body := ask(r, map[string]string{"Authorization": bearer})
		if status >= 500 || slices.Contains([]int{401, 403, 421}, status) {
			t.Errorf("%s %s with the token: %d %.200s", r.method, r.path, status, body)
		}
	}
	for _, r := range routesOf(t, o, "CORPUS") {
		if !r.corpus {
			continue
		}
		of := func(name string) (int, string) {
			named := r
			named.path, named.body = strings.ReplaceAll(r.path, "CORPUS", name), strings.ReplaceAll(r.body, "CORPUS", name)
			status, body := ask(named, map[string]string{"Authorization": bearer})
			return status, strings.ReplaceAll(body, name, "CORPUS")
		}
		notShown, one := of(hidden)
		missing, other := of("no-such-corpus")
		if notShown != missing || one != other || notShown < 400 && !strings.Contains(one, "error") {
			t.Errorf("%s %s: a corpus that is not shown gives %d %.200s, one that does not exist %d %.200s", r.method, r.path, notShown, one, missing, other)
		}
	}
	for _, secret := range []string{testToken, folder.Path, "silver spoon", t.TempDir()} {
		if strings.Contains(replies.String(), secret) || strings.Contains(log.String(), secret) {
			t.Errorf("a reply or the log has %q", secret)
		}
	}
	if strings.Contains(log.String(), "Marley") || !strings.Contains(log.String(), `"path":"/api/v1/ask"`) {
		t.Errorf("the log has questions, or no requests: %.500s", log.String())
	}
}

// sendWith sends a request to a route with headers.
func sendWith(t *testing.T, to route, address string, headers map[string]string) (int, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), to.method, address+to.path, strings.NewReader(to.body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	for name, value := range headers {
		if name == "Host" {
			r.Host = value
			continue
		}
		r.Header.Set(name, value)
	}
	status, _, body := send(t, http.DefaultClient, r)
	return status, body
}
