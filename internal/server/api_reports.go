package server

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"github.com/neorag/neorag/internal/server/service"
	"github.com/neorag/neorag/internal/view/reportbook"
)

// Reports is a list of reports.
type Reports struct {
	Reports []reportbook.Entry `json:"reports"`
}

type reportsInput struct {
	CorpusInput

	Level int `query:"level" minimum:"-1" maximum:"100" default:"0" doc:"0 for the largest communities; -1 for all levels"`
}

type reportInput struct {
	CorpusInput

	Report string `path:"report" maxLength:"1000" doc:"Label, key or title"`
}

type entityInput struct {
	CorpusInput

	Name string `query:"name" required:"true" minLength:"1" maxLength:"1000"`
}

// addReports adds the routes of reports and entities.
func (s *server) addReports(api huma.API) {
	get(api, s, "reports", "/api/v1/corpora/{corpus}/reports", "List the reports on the communities of a corpus", "graph", func(ctx context.Context, in *reportsInput) (Reports, error) {
		list, err := s.Service.Reports(ctx, in.Corpus, in.Level)
		return Reports{list}, err
	})
	get(api, s, "report", "/api/v1/corpora/{corpus}/reports/{report}", "Read a report", "graph", func(ctx context.Context, in *reportInput) (reportbook.Report, error) {
		return s.Service.Report(ctx, in.Corpus, in.Report)
	})
	get(api, s, "entity", "/api/v1/corpora/{corpus}/entity", "Read what the graph has of an entity", "graph", func(ctx context.Context, in *entityInput) (service.Entity, error) {
		return s.Service.Entity(ctx, in.Corpus, in.Name)
	})
}
