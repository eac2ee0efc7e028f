package server

import (
	"context"
	"crypto/rand"
	"fmt"
	"html/template"
	"net/http"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
	"github.com/danielgtaylor/huma/v2/sse"

	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/query/cite"
	"github.com/neorag/neorag/internal/server/service"
	"github.com/neorag/neorag/internal/ui/markdown"
)

// An askView is what the page that asks shows before a question.
type askView struct {
	Corpora        []askCorpus
	Corpus, Method string // that are chosen at first
	Methods        []service.Method
	Model          string
	Changes        bool // clients may add documents
}

// An askCorpus is a corpus with links to its pages.
type askCorpus struct {
	service.CorpusLine

	Links []navigationLink
}

// askPage shows the form of a question. The query's corpus is chosen at first.
func (s *server) askPage(w http.ResponseWriter, r *http.Request) {
	list, err := s.Service.Corpora(r.Context())
	if err != nil {
		s.writeError(w, r, err)
		return
	}
	v := askView{Method: s.Service.Method(), Methods: s.Service.Methods(), Model: s.Service.Model(), Changes: s.changes()}
	wanted := r.URL.Query().Get("corpus")
	if wanted == "" {
		wanted, _ = s.Service.DefaultOf(list) // without one, none is chosen
	}
	for _, c := range list {
		v.Corpora = append(v.Corpora, askCorpus{c, s.navigation(c.Corpus, "")[1:]})
		if c.Corpus == wanted {
			v.Corpus = wanted
		}
	}
	f := frame{Title: "Ask", Content: v}
	if v.Corpus != "" {
		f.Links = s.navigation(v.Corpus, "Ask")
	}
	s.writePage(w, r, http.StatusOK, "ask", f)
}

// A pageAnswer is the last event of the page's stream: an answer as the page shows it, so that no script turns
// text into HTML.
type pageAnswer struct {
	Question string `json:"question"` // as it was asked
	Answer   string `json:"answer"`   // Markdown, for the history of the conversation
	HTML     string `json:"html"`
	Sources  string `json:"sources"` // HTML
}

// addPageStream adds the stream of the page that asks. It is the stream of the API except for its last event, and
// not in the description of the API.
func (s *server) addPageStream(mux *http.ServeMux) {
	config := apiConfig(s.Version)
	config.OpenAPIPath = ""
	events := streamEvents()
	events["answer"] = pageAnswer{}
	sse.Register(humago.New(mux, config), huma.Operation{OperationID: "page-stream", Method: http.MethodPost, Path: "/ask/stream"},
		events, func(ctx context.Context, in *questionInput, send sse.Sender) {
			s.stream(ctx, in, send, func(a query.Answer) (any, error) { return s.pageAnswer(a) })
		})
}

// An answerView is an answer as the page shows it.
type answerView struct {
	query.Answer

	HTML  template.HTML
	ID    string // begins the ids of its sources
	Model string
}

func (s *server) pageAnswer(a query.Answer) (pageAnswer, error) {
	v := answerView{Answer: a, ID: "source-" + strings.ToLower(rand.Text()[:8]), Model: s.Service.Model()}
	known := map[int]bool{}
	for _, r := range a.References {
		known[r.N] = true
	}
	v.HTML = template.HTML(markdown.HTML(a.Answer, 2, func(n int) string { //nolint:gosec // markdown.HTML escapes all of it
		if !known[n] {
			return ""
		}
		return "#" + v.SourceID(n)
	}))
	text, err := render("ask", "answer", v)
	if err != nil {
		return pageAnswer{}, err
	}
	sources, err := render("ask", "sources", v)
	return pageAnswer{a.Question, a.Answer, string(text), string(sources)}, err
}

// SourceID returns the id of a source in the page.
func (v answerView) SourceID(n int) string { return v.ID + "-" + strconv.Itoa(n) }

// WrittenBy says who wrote the answer, and how.
func (v answerView) WrittenBy() string {
	by := "Sentences of the documents, chosen by rules without a model"
	if v.Answer.WrittenBy == query.ByModel {
		by = "Written by the model " + v.Model
	}
	return fmt.Sprintf("%s · method %s · %.1f s", by, v.Method, v.Seconds)
}

// Heading returns the title of a source.
func (answerView) Heading(r cite.Reference) string {
	if title := strings.TrimSpace(r.Title); title != "" {
		return title
	}
	return r.Document
}
