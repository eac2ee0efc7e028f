package server

import (
	"context"
	"log/slog"
	"net/http"
	"path"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/neorag/neorag/internal/server/files"
	"github.com/neorag/neorag/internal/server/runs"
	"github.com/neorag/neorag/internal/server/service"
)

// Options configure a server. Service and Version are required.
type Options struct {
	Version string
	Service *service.Service
	Fence   Fence        // which requests get in
	Log     *slog.Logger // of what fails; nil discards it
	MCP     http.Handler // of /mcp; nil for none
	// Files and Runs let clients add documents and index them; nil refuses that.
	Files *files.Folder
	Runs  *runs.Runs

	beat time.Duration // after which a silent stream sends a comment; 0 means 10 s
}

// A server answers requests.
type server struct {
	Options

	logins logins
}

// New returns the handler of all routes, behind the fence of the options.
func New(o Options) http.Handler {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	mux := http.NewServeMux()
	(&server{o, make(logins, maxLogins)}).register(mux)
	o.Fence.Open = slices.Concat(o.Fence.Open, []string{"/healthz", "/openapi.json"}, openPaths)
	return o.Fence.Wrap(limitBodies(mux))
}

// nothing answers requests to which no route belongs.
func (s *server) nothing(w http.ResponseWriter, r *http.Request) {
	err := service.NewError(service.NotFound, "no route answers this request", "GET /openapi.json describes all routes")
	if strings.Contains(r.Header.Get("Accept"), "text/html") {
		s.writeError(w, r, err)
		return
	}
	refuse(w, r, problemOf(err))
}

// changes reports whether clients may add documents and start runs.
func (s *server) changes() bool { return s.Files != nil && s.Runs != nil }

// register adds all routes, and returns the description of those of the API.
func (s *server) register(mux *http.ServeMux) *huma.OpenAPI {
	api := humago.New(mux, apiConfig(s.Version))
	s.addCorpora(api)
	s.addQuestions(api)
	s.addDocuments(api)
	s.addReports(api)
	s.addDify(mux, api)
	s.addOpenAI(mux, api)
	if s.changes() {
		s.addFiles(api, mux)
	}
	if s.MCP != nil {
		mux.Handle("/mcp", s.MCP)
	}
	s.addPages(mux)
	mux.HandleFunc("/", s.nothing)
	return api.OpenAPI()
}

// apiConfig describes the API. The document is served; pages that show it would load scripts from
// elsewhere.
func apiConfig(version string) huma.Config {
	c := huma.DefaultConfig("NeoRAG", version)
	c.Info.Description = "Questions, contexts, documents and reports of indexed corpora."
	c.OpenAPIPath, c.DocsPath, c.SchemasPath = "/openapi", "", ""
	c.CreateHooks = nil // which add links to schemas
	c.Components.Schemas = huma.NewMapRegistry("#/components/schemas/", schemaName)
	c.Components.SecuritySchemes = map[string]*huma.SecurityScheme{"token": {Type: "http", Scheme: "bearer"}}
	c.Security = []map[string][]string{{"token": {}}, {}}
	return c
}

// schemaName returns the name of a type's schema. Types of methods and of reports begin with the name of their
// package, because others have the same name.
func schemaName(t reflect.Type, hint string) string {
	name := huma.DefaultSchemaNamer(t, hint)
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	folder, pkg := path.Split(t.PkgPath())
	if strings.HasSuffix(folder, "/methods/") || strings.HasSuffix(folder, "/view/") {
		return strings.ToUpper(pkg[:1]) + pkg[1:] + name
	}
	return name
}

// A body is a response in JSON.
type body[T any] struct{ Body T }

// get registers a route that reads something.
func get[In, Out any](api huma.API, s *server, id, path, summary, tag string, read func(context.Context, *In) (Out, error)) {
	register(api, s, huma.Operation{OperationID: id, Method: http.MethodGet, Path: path, Tags: []string{tag}, Summary: summary}, read)
}

// register registers a route whose errors have the form of all errors.
func register[In, Out any](api huma.API, s *server, o huma.Operation, answer func(context.Context, *In) (Out, error)) {
	huma.Register(api, o, func(ctx context.Context, in *In) (*body[Out], error) {
		out, err := answer(ctx, in)
		if err != nil {
			return nil, s.problem(ctx, err)
		}
		return &body[Out]{out}, nil
	})
}
