package server

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/neorag/neorag/internal/server/files"
	"github.com/neorag/neorag/internal/server/runs"
)

// Limits of uploads.
const (
	maxUploads  = 4                // at the same time
	uploadTime  = time.Hour        // of a request
	silenceTime = 30 * time.Second // until a client that sends nothing is given up
)

const uploadPattern = "POST /api/v1/corpora/{corpus}/files"

// describeUpload describes the route that adds files, which reads them as they arrive.
func describeUpload(api huma.API) {
	form := &huma.Schema{Type: huma.TypeObject, Properties: map[string]*huma.Schema{"file": {Type: huma.TypeArray, Items: &huma.Schema{Type: huma.TypeString, Format: "binary"}}}}
	describe(api, huma.Operation{
		OperationID: "upload", Method: http.MethodPost, Path: "/api/v1/corpora/{corpus}/files", Tags: []string{"documents"},
		Summary:     "Add files to a corpus, and update the index",
		Description: fmt.Sprintf("A file of the same name is replaced. A corpus that does not exist is created. A file has at most %d MiB.", files.MaxFile>>20),
		Parameters:  []*huma.Param{{Name: "corpus", In: "path", Required: true, Schema: &huma.Schema{Type: huma.TypeString}}},
		RequestBody: &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{"multipart/form-data": {Schema: form}}},
	}, nil, Upload{}, Problem{})
}

// upload adds the files of a request in multipart/form-data. A file that is refused does not stop the others.
func (s *server) upload(w http.ResponseWriter, r *http.Request) {
	corpus := r.PathValue("corpus")
	if err := s.checkName(corpus); err != nil {
		writeProblem(w, s.problem(r.Context(), err))
		return
	}
	r.Body = http.MaxBytesReader(w, r.Body, files.MaxRequest)
	parts, err := r.MultipartReader()
	if err != nil {
		writeProblem(w, newProblem(http.StatusUnsupportedMediaType, "send files as multipart/form-data"))
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), uploadTime)
	defer cancel()
	connection := http.NewResponseController(w)
	defer func() { _ = connection.SetReadDeadline(time.Time{}) }()
	out := Upload{Files: []files.File{}, Refused: []RefusedFile{}}
	err = s.addParts(ctx, corpus, parts, silenceReader{connection}, &out)
	if len(out.Files) > 0 { // also if the client has left
		err = errors.Join(err, s.Runs.Request(context.WithoutCancel(ctx), runs.Request{Corpus: corpus}))
	}
	state, stateErr := s.Runs.State(ctx, corpus)
	out.Run, err = state, cmp.Or(err, stateErr)
	switch {
	case err != nil:
		writeProblem(w, s.uploadProblem(r.Context(), err))
	case len(out.Files) > 0:
		writeJSON(w, http.StatusOK, out)
	case len(out.Refused) > 0:
		writeProblem(w, newProblem(out.Refused[0].status, out.Refused[0].Reason))
	default:
		writeProblem(w, newProblem(http.StatusUnprocessableEntity, "the request has no file"))
	}
}

// addParts adds the parts that are files.
func (s *server) addParts(ctx context.Context, corpus string, parts *multipart.Reader, limited silenceReader, out *Upload) error {
	for {
		limited.extend()
		part, err := parts.NextRawPart()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		name := part.FileName()
		if name == "" {
			continue // a field of the form
		}
		added, err := s.Files.Add(ctx, corpus, name, limited.reader(part))
		switch {
		case err == nil:
			out.Files = append(out.Files, added)
		case errors.Is(err, files.ErrName):
			out.Refused = append(out.Refused, RefusedFile{name, err.Error(), http.StatusUnprocessableEntity})
		case errors.Is(err, files.ErrTooLarge):
			out.Refused = append(out.Refused, RefusedFile{name, err.Error(), http.StatusRequestEntityTooLarge})
		default:
			return err
		}
	}
}

// uploadProblem returns the response of an upload that ended early.
func (s *server) uploadProblem(ctx context.Context, err error) *Problem {
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return newProblem(http.StatusRequestEntityTooLarge, fmt.Sprintf("a request has at most %d MiB", files.MaxRequest>>20))
	}
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded), errors.Is(err, context.DeadlineExceeded):
		return newProblem(http.StatusRequestTimeout, "the files arrive too slowly")
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, multipart.ErrMessageTooLarge):
		return newProblem(http.StatusBadRequest, "the form is not complete: "+err.Error())
	}
	return s.problem(ctx, err)
}

// A silenceReader gives up a client that sends nothing for some time.
type silenceReader struct{ connection *http.ResponseController }

func (r silenceReader) extend() {
	_ = r.connection.SetReadDeadline(time.Now().Add(silenceTime)) // a connection without deadlines has only the time of the request
}

func (r silenceReader) reader(content io.Reader) io.Reader { return &extendingReader{r, content} }

type extendingReader struct {
	silenceReader
	io.Reader
}

func (r *extendingReader) Read(p []byte) (int, error) {
	r.extend()
	return r.Reader.Read(p)
}
