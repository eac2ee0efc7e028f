package server

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"github.com/neorag/neorag/internal/server/service"
)

type documentsInput struct {
	CorpusInput

	After string `query:"after" maxLength:"4096" doc:"Key of the document before the page"`
	Limit int    `query:"limit" minimum:"1" maximum:"1000" default:"100"`
}

type textInput struct {
	CorpusInput

	Document string `query:"document" required:"true" minLength:"1" maxLength:"4096" doc:"Key of the document"`
	Start    int    `query:"start" minimum:"0" maximum:"2000000000"`
	End      int    `query:"end" minimum:"0" maximum:"2000000000"`
	Around   int    `query:"around" minimum:"0" maximum:"100000" default:"2000" doc:"Bytes on each side"`
}

// addDocuments adds the routes of documents.
func (s *server) addDocuments(api huma.API) {
	get(api, s, "documents", "/api/v1/corpora/{corpus}/documents", "List the documents of a corpus", "documents", func(ctx context.Context, in *documentsInput) (service.Documents, error) {
		return s.Service.Documents(ctx, in.Corpus, in.After, in.Limit)
	})
	get(api, s, "text", "/api/v1/corpora/{corpus}/text", "Read a part of a document's text, at the offsets of a reference", "documents", func(ctx context.Context, in *textInput) (service.Text, error) {
		return s.Service.Text(ctx, in.Corpus, in.Document, in.Start, in.End, in.Around)
	})
}
