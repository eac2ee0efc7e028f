package server

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/neorag/neorag/internal/server/service"
)

// A Health is whether the server can answer.
type Health struct {
	Status string `json:"status" enum:"ok,unavailable"`
}

type healthOutput struct {
	Status int
	Body   Health
}

// Corpora is a list of corpora.
type Corpora struct {
	Corpora []service.CorpusLine `json:"corpora"`
	Methods []service.Method     `json:"methods" doc:"Ways to answer questions"`
	Model   string               `json:"model" doc:"That writes answers; empty if sentences are chosen without one"`
}

// CorpusInput names a corpus in the path.
type CorpusInput struct {
	Corpus string `path:"corpus" maxLength:"100"`
}

func healthOf(err error) *healthOutput {
	if err != nil {
		return &healthOutput{http.StatusServiceUnavailable, Health{"unavailable"}}
	}
	return &healthOutput{http.StatusOK, Health{"ok"}}
}

// addCorpora adds the routes that describe the server and its corpora.
func (s *server) addCorpora(api huma.API) {
	huma.Register(api, huma.Operation{
		OperationID: "health", Method: http.MethodGet, Path: "/healthz", Tags: []string{"server"},
		Summary: "Check that the server can answer", Security: []map[string][]string{},
	}, func(ctx context.Context, _ *struct{}) (*healthOutput, error) {
		return healthOf(s.Service.Ping(ctx)), nil
	})
	get(api, s, "corpora", "/api/v1/corpora", "List the corpora and the methods", "corpora", func(ctx context.Context, _ *struct{}) (Corpora, error) {
		list, err := s.Service.Corpora(ctx)
		return Corpora{list, s.Service.Methods(), s.Service.Model()}, err
	})
	get(api, s, "corpus", "/api/v1/corpora/{corpus}", "Describe a corpus", "corpora", func(ctx context.Context, in *CorpusInput) (service.Corpus, error) {
		return s.Service.Corpus(ctx, in.Corpus)
	})
}
