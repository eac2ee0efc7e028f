package server

import (
	"net/http"
	"net/url"

	"github.com/neorag/neorag/internal/server/files"
	"github.com/neorag/neorag/internal/server/service"
)

// An indexView is the page of the documents of a corpus, where clients add some.
type indexView struct {
	Corpus    string
	Formats   string
	MaxFile   int // MB
	Documents []service.Document
	More      string // path of the page with the next documents; empty on the last page
}

// pageDocuments is how many documents a page lists.
const pageDocuments = 100

// addIndexPage adds the page where documents are added, if clients may.
func (s *server) addIndexPage(mux *http.ServeMux) {
	mux.HandleFunc("GET /index", func(w http.ResponseWriter, r *http.Request) {
		corpus := r.URL.Query().Get("corpus")
		if err := s.checkName(corpus); err != nil {
			s.writeError(w, r, err)
			return
		}
		http.Redirect(w, r, service.IndexHref(corpus), http.StatusSeeOther)
	})
	mux.HandleFunc("GET /index/{corpus}", func(w http.ResponseWriter, r *http.Request) {
		corpus := r.PathValue("corpus")
		if err := s.checkName(corpus); err != nil {
			s.writeError(w, r, err)
			return
		}
		view := indexView{Corpus: corpus, Formats: "Text, Markdown, HTML, PDF, Office, EPUB, email, tables and others.", MaxFile: files.MaxFile >> 20}
		page, err := s.Service.Documents(r.Context(), corpus, r.URL.Query().Get("after"), pageDocuments)
		if err != nil && service.ErrorOf(err).Reason != service.NotFound { // no run has created the corpus yet
			s.writeError(w, r, err)
			return
		}
		view.Documents = page.Documents
		if page.Next != "" {
			view.More = service.IndexHref(corpus) + "?after=" + url.QueryEscape(page.Next) + "#documents"
		}
		s.writePage(w, r, http.StatusOK, "index", frame{Title: "Documents of " + corpus, Links: s.navigation(corpus, "Documents"), Content: view})
	})
}
