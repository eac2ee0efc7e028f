package server

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"

	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/server/servertest"
	"github.com/neorag/neorag/internal/server/service"
	"github.com/neorag/neorag/internal/testkit/faulttest"
)

// An openAPI is what tests read of the document.
type openAPI struct {
	Paths map[string]map[string]struct {
		Responses map[string]struct {
			Content map[string]struct{ Schema json.RawMessage }
		}
	}
	Components struct{ Schemas map[string]json.RawMessage }
}

// schema returns the schema of the JSON that a route answers with.
func (o openAPI) schema(t *testing.T, method, path string) *jsonschema.Resolved {
	t.Helper()
	own := o.Paths[path][strings.ToLower(method)].Responses["200"].Content["application/json"].Schema
	document, err := json.Marshal(map[string]any{"$defs": o.Components.Schemas, "allOf": []any{own}})
	if err != nil || len(own) == 0 {
		t.Fatalf("%s %s has no schema: %v", method, path, err)
	}
	var s jsonschema.Schema
	if err := json.Unmarshal(bytes.ReplaceAll(document, []byte(`"#/components/schemas/`), []byte(`"#/$defs/`)), &s); err != nil {
		t.Fatal(err)
	}
	resolved, err := s.Resolve(nil)
	if err != nil {
		t.Fatalf("%s %s: %v", method, path, err)
	}
	return resolved
}

// TestResponsesMatchTheDocument requests every route of the document, and the routes of questions by every
// method, without and with a model: the responses fit the schemas of the served document.
func TestResponsesMatchTheDocument(t *testing.T) {
	t.Parallel()
	corpus := servertest.Sample(t, examples)
	o := writing(t, servertest.Service(t, nil, corpus))
	if err := os.MkdirAll(o.Files.Of(corpus), 0o700); err != nil {
		t.Fatal(err)
	}
	offline := start(t, o)
	o.Service = servertest.Service(t, newModel(t, nil), corpus)
	model := start(t, o)
	var document openAPI
	request(t, http.MethodGet, offline+"/openapi.json", "", http.StatusOK, &document)
	var documents service.Documents
	request(t, http.MethodGet, offline+"/api/v1/corpora/"+corpus+"/documents", "", http.StatusOK, &documents)
	var reports Reports
	request(t, http.MethodGet, offline+"/api/v1/corpora/"+corpus+"/reports", "", http.StatusOK, &reports)
	if len(documents.Documents) == 0 || len(reports.Reports) == 0 {
		t.Fatal("the sample has no documents or reports")
	}
	in := "/api/v1/corpora/" + corpus
	requests := map[string][]string{
		"GET /healthz": {"/healthz"}, "GET /api/v1/corpora": {"/api/v1/corpora"}, "GET /api/v1/corpora/{corpus}": {in},
		"GET /api/v1/corpora/{corpus}/documents":        {in + "/documents", in + "/documents?limit=1", in + "/documents?after=~"},
		"GET /api/v1/corpora/{corpus}/text":             {in + "/text?start=10&end=20&document=" + url.QueryEscape(documents.Documents[0].Key)},
		"GET /api/v1/corpora/{corpus}/reports":          {in + "/reports", in + "/reports?level=-1", in + "/reports?level=99"},
		"GET /api/v1/corpora/{corpus}/reports/{report}": {in + "/reports/" + url.PathEscape(reports.Reports[0].Label)},
		"GET /api/v1/corpora/{corpus}/entity":           {in + "/entity?name=Scrooge"},
		"GET /v1/models":                                {"/v1/models"},
		"GET /v1/models/{model}":                        {"/v1/models/neorag/" + corpus, "/v1/models/neorag/" + corpus + ":local"},
		"POST /v1/chat/completions": {
			`{"model":"neorag/` + corpus + `","messages":[{"role":"user","content":"` + chatQuestion + `"}]}`, `{"model":"neorag/` + corpus + `","messages":[{"role":"user","content":"xyzzyqwert"}]}`,
		},
		"POST /dify/retrieval": {
			`{"knowledge_id":"` + corpus + `","query":"Scrooge","retrieval_setting":{"top_k":3}}`, `{"knowledge_id":"` + corpus + `","query":"xyzzyqwert","retrieval_setting":{"top_k":3}}`,
		},
		"GET /api/v1/corpora/{corpus}/files": {in + "/files"}, "POST /api/v1/corpora/{corpus}/run": {"{}"}, "POST /api/v1/corpora/{corpus}/run/cancel": {"{}"},
		"POST /api/v1/ask/stream": nil, "POST /api/v1/corpora/{corpus}/files": nil, "DELETE /api/v1/corpora/{corpus}/files/{file}": nil, // other tests
	}
	bodies := []string{`{"question":"What are the main themes?"}`, `{"question":"What does xyzzyqwert mean?"}`}
	for _, m := range faulttest.Sample(t, query.Methods(), 4) {
		bodies = append(bodies, `{"method":"`+m.Name+`","question":"`+chatQuestion+`","history":[{"question":"Who was Scrooge?","answer":"A miser."}]}`)
	}
	requests["POST /api/v1/ask"], requests["POST /api/v1/context"] = bodies, bodies
	var routes []string
	for path, operations := range document.Paths {
		for method := range operations {
			routes = append(routes, strings.ToUpper(method)+" "+path)
		}
	}
	if diff := cmp.Diff(slices.Sorted(slices.Values(routes)), slices.Sorted(maps.Keys(requests))); diff != "" {
		t.Errorf("routes of the document (-document +requests):\n%s", diff)
	}
	answered := map[string]int{}
	for route, list := range requests {
		method, path, _ := strings.Cut(route, " ")
		if list == nil {
			continue
		}
		schema := document.schema(t, method, path)
		for _, address := range []string{offline, model} {
			for _, what := range list {
				status, body := sendWhat(t, method, address, strings.ReplaceAll(path, "{corpus}", corpus), what)
				switch {
				case status == http.StatusOK:
					answered[route]++
					if err := validate(schema, body); err != nil {
						t.Errorf("%s %s: %v in %.2000s", route, what, err, body)
					}
					if validate(schema, bytes.Replace(body, []byte("{"), []byte(`{"unknown":1,`), 1)) == nil {
						t.Errorf("the schema of %s allows a field that it does not have", route)
					}
				case !isDeclined(body): // the corpus lacks what the method reads, or it needs a model
					t.Errorf("%s %s: status %d: %s", route, what, status, body)
				}
			}
		}
	}
	for route, list := range requests {
		if answered[route] < len(list) {
			t.Errorf("%s: %d answers of %d requests", route, answered[route], len(list))
		}
	}
}

// sendWhat sends a request: what is the body of a POST, or the address of a GET.
func sendWhat(t *testing.T, method, address, path, what string) (status int, body []byte) {
	t.Helper()
	if method == http.MethodGet {
		path, what = what, ""
	}
	status, text := sendBody(t, method, address+path, "application/json", strings.NewReader(what))
	return status, []byte(text)
}

// isDeclined reports whether a method cannot answer from the corpus, or without a model.
func isDeclined(body []byte) bool {
	var p Problem
	return json.Unmarshal(body, &p) == nil && slices.Contains([]service.Reason{service.NoModel, service.Conflict, service.Invalid}, p.Body.Reason)
}

func validate(s *jsonschema.Resolved, body []byte) error {
	var v any
	if err := json.Unmarshal(body, &v); err != nil {
		return err
	}
	return s.Validate(v)
}

// TestDocument compares the served document with docs/openapi.json, and rewrites that with NEORAG_UPDATE=1.
func TestDocument(t *testing.T) {
	t.Parallel()
	o := writing(t, service.New(service.Options{}))
	o.Version = "development"
	address := start(t, o)
	_, body := sendWhat(t, http.MethodGet, address, "", "/openapi.json")
	var got bytes.Buffer
	if err := json.Indent(&got, body, "", "  "); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join("..", "..", "docs", "openapi.json")
	if os.Getenv("NEORAG_UPDATE") == "1" {
		if err := os.WriteFile(path, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got.String()); diff != "" {
		t.Errorf("%s: run with NEORAG_UPDATE=1 (-want +got):\n%s", path, diff)
	}
}
