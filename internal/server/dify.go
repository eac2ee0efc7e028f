package server

import (
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/neorag/neorag/internal/server/service"
)

// A DifyQuestion is a request of Dify to a knowledge base outside of it. Other fields, such as conditions on
// metadata, are ignored.
type DifyQuestion struct {
	KnowledgeID string      `json:"knowledge_id" doc:"Name of the corpus"`
	Query       string      `json:"query"`
	Setting     DifySetting `json:"retrieval_setting"`

	_ struct{} `additionalProperties:"true"`
}

// DifySetting bounds what is found.
type DifySetting struct {
	TopK      int     `json:"top_k" doc:"Records at most, of which there are no more than 100"`
	Threshold float64 `json:"score_threshold,omitempty" doc:"Least score; the best record has about 1"`

	_ struct{} `additionalProperties:"true"`
}

// DifyRecords are the chunks that were found, best first.
type DifyRecords struct {
	Records []DifyRecord `json:"records" nullable:"false"`
}

// A DifyRecord is a chunk.
type DifyRecord struct {
	Content  string       `json:"content"`
	Score    float64      `json:"score"`
	Title    string       `json:"title"`
	Metadata DifyMetadata `json:"metadata"`
}

// DifyMetadata says where a chunk is.
type DifyMetadata struct {
	Corpus   string `json:"corpus"`
	Document string `json:"document"`
	Chunk    string `json:"chunk"`
	Heading  string `json:"heading,omitempty"`
	Page     int    `json:"page,omitempty"`
	Href     string `json:"href" doc:"Address of the page that shows the chunk"`
}

// A DifyProblem is an error in the form of Dify.
type DifyProblem struct {
	Code    int    `json:"error_code"`
	Message string `json:"error_msg"`
}

// Error codes that Dify names; other errors have their HTTP status as code.
const (
	difyNoToken     = 1001 // the authorization header has not the right form
	difyWrongToken  = 1002
	difyNoKnowledge = 2001
)

const (
	difyPath   = "/dify/retrieval"
	maxRecords = 100
)

// addDify adds the route of Dify.
func (s *server) addDify(mux *http.ServeMux, api huma.API) {
	mux.HandleFunc("POST "+difyPath, s.difyRetrieval)
	describe(api, huma.Operation{
		OperationID: "dify-retrieval", Method: http.MethodPost, Path: difyPath, Tags: []string{"clients"}, Summary: "Retrieve chunks for Dify",
	}, DifyQuestion{}, DifyRecords{}, DifyProblem{})
}

func (s *server) difyRetrieval(w http.ResponseWriter, r *http.Request) {
	var in DifyQuestion
	if p := decode(r, &in); p != nil {
		writeJSON(w, p.status, difyProblem(r, p))
		return
	}
	records, err := s.difyRecords(r, in)
	if err != nil {
		p := s.problem(r.Context(), err)
		writeJSON(w, p.status, difyProblem(r, p))
		return
	}
	writeJSON(w, http.StatusOK, DifyRecords{records})
}

func (s *server) difyRecords(r *http.Request, in DifyQuestion) ([]DifyRecord, error) {
	switch {
	case in.KnowledgeID == "":
		return nil, service.NewError(service.NotFound, "knowledge_id is empty", "it is the name of a corpus")
	case in.Setting.TopK < 1:
		return nil, service.NewError(service.Invalid, "top_k is less than 1", "")
	case len(in.Query) > maxQuestion:
		return nil, service.NewError(service.Invalid, "the query is longer than 20,000 bytes", "")
	}
	chunks, err := s.Service.Chunks(r.Context(), service.Question{Question: in.Query, Corpora: []string{in.KnowledgeID}, Method: "basic"}, min(in.Setting.TopK, maxRecords))
	if err != nil {
		return nil, err
	}
	base, records := baseOf(r), []DifyRecord{}
	for _, c := range chunks {
		if c.Score < in.Setting.Threshold {
			break
		}
		records = append(records, DifyRecord{c.Text, c.Score, c.Title, DifyMetadata{
			Corpus: c.Corpus, Document: c.Document, Chunk: c.Key, Heading: c.Place.Heading, Page: c.Place.Page, Href: base + c.Href,
		}})
	}
	return records, nil
}

// difyProblem returns a problem in the form of Dify.
func difyProblem(r *http.Request, p *Problem) DifyProblem {
	out := DifyProblem{p.status, p.Body.Message}
	switch {
	case p.Body.Reason == service.NotFound:
		out.Code = difyNoKnowledge
	case p.status == http.StatusUnauthorized && strings.HasPrefix(r.Header.Get("Authorization"), "Bearer "):
		out.Code = difyWrongToken
	case p.status == http.StatusUnauthorized:
		out.Code = difyNoToken
	}
	return out
}
