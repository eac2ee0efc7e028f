package server

import (
	"context"
	"errors"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/server/files"
	"github.com/neorag/neorag/internal/server/runs"
	"github.com/neorag/neorag/internal/server/service"
)

// Files are the documents that clients have added to a corpus.
type Files struct {
	Files  []files.File    `json:"files"`
	Run    runs.State      `json:"run"`
	Corpus *service.Corpus `json:"corpus,omitempty" doc:"Absent until a run has created it"`
}

// Upload is what became of the files of a request.
type Upload struct {
	Files   []files.File  `json:"files" doc:"That were added"`
	Refused []RefusedFile `json:"refused"`
	Run     runs.State    `json:"run"`
}

// A RefusedFile is a file that was not added.
type RefusedFile struct {
	Name   string `json:"name"`
	Reason string `json:"reason"`

	status int
}

type fileInput struct {
	CorpusInput

	File string `path:"file" maxLength:"200"`
}

type runInput struct {
	CorpusInput

	Body struct {
		Confirm bool `json:"confirm,omitempty" doc:"Allow a run that redoes or deletes what a model made"`
	}
}

// addFiles adds the routes that change a corpus: its files, and its runs.
func (s *server) addFiles(api huma.API, mux *http.ServeMux) {
	tag := "documents"
	get(api, s, "files", "/api/v1/corpora/{corpus}/files", "List the files that clients have added, and show what the index does", tag, s.files)
	register(api, s, huma.Operation{
		OperationID: "delete-file", Method: http.MethodDelete, Path: "/api/v1/corpora/{corpus}/files/{file}", Tags: []string{tag},
		Summary: "Delete a file, and update the index",
	}, s.deleteFile)
	register(api, s, huma.Operation{
		OperationID: "run", Method: http.MethodPost, Path: "/api/v1/corpora/{corpus}/run", Tags: []string{tag},
		Summary: "Index what changed, and continue what an interrupted run left",
	}, s.run)
	register(api, s, huma.Operation{
		OperationID: "cancel-run", Method: http.MethodPost, Path: "/api/v1/corpora/{corpus}/run/cancel", Tags: []string{tag},
		Summary: "Cancel the run that is under way; the next one continues where it stopped",
	}, func(ctx context.Context, in *CorpusInput) (runs.State, error) {
		if err := s.checkName(in.Corpus); err != nil {
			return runs.State{}, err
		}
		if err := s.Runs.Cancel(ctx, in.Corpus); err != nil {
			return runs.State{}, err
		}
		return s.Runs.State(ctx, in.Corpus)
	})
	describeUpload(api)
	uploads := make(chan struct{}, maxUploads)
	mux.HandleFunc(uploadPattern, func(w http.ResponseWriter, r *http.Request) {
		select {
		case uploads <- struct{}{}:
			defer func() { <-uploads }()
			s.upload(w, r)
		default:
			writeProblem(w, problemOf(service.NewError(service.Busy, "too many files are being uploaded", "try again in a moment")))
		}
	})
}

// checkName returns an error for a name that no shown corpus can have.
func (s *server) checkName(corpus string) error {
	if err := graph.CheckCorpus(corpus); err != nil {
		return service.NewError(service.Invalid, err.Error(), "")
	}
	if !s.Service.Shows(corpus) {
		return service.NoCorpus(corpus)
	}
	return nil
}

func (s *server) files(ctx context.Context, in *CorpusInput) (Files, error) {
	if err := s.checkName(in.Corpus); err != nil {
		return Files{}, err
	}
	state, err := s.Runs.State(ctx, in.Corpus)
	if err != nil {
		return Files{}, err
	}
	out := Files{Run: state}
	c, err := s.Service.Corpus(ctx, in.Corpus)
	switch {
	case err == nil:
		out.Corpus = &c
	case service.ErrorOf(err).Reason != service.NotFound:
		return Files{}, err
	}
	out.Files, err = s.Files.List(in.Corpus)
	return out, err
}

func (s *server) deleteFile(ctx context.Context, in *fileInput) (runs.State, error) {
	if err := s.checkName(in.Corpus); err != nil {
		return runs.State{}, err
	}
	if err := s.Files.Delete(in.Corpus, in.File); err != nil {
		return runs.State{}, fileError(err)
	}
	if err := s.Runs.Request(ctx, runs.Request{Corpus: in.Corpus}); err != nil {
		return runs.State{}, err
	}
	return s.Runs.State(ctx, in.Corpus)
}

func (s *server) run(ctx context.Context, in *runInput) (runs.State, error) {
	if err := s.checkName(in.Corpus); err != nil {
		return runs.State{}, err
	}
	state, err := s.Runs.Start(ctx, runs.Request{Corpus: in.Corpus, Confirm: in.Body.Confirm}, s.Files.Paths(in.Corpus))
	if errors.Is(err, runs.ErrNoDocuments) {
		err = service.NewError(service.Conflict, err.Error(), "upload files, start the server with --root "+in.Corpus+"=FOLDER, or run neorag index")
	}
	return state, err
}

// fileError returns the error that a client is shown.
func fileError(err error) error {
	switch {
	case errors.Is(err, files.ErrNoFile):
		return service.NewError(service.NotFound, err.Error(), "")
	case errors.Is(err, files.ErrName), errors.Is(err, files.ErrTooLarge):
		return service.NewError(service.Invalid, err.Error(), "")
	}
	return err
}
