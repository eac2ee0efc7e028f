package server

import (
	"net/http"

	"github.com/neorag/neorag/internal/server/files"
	"github.com/neorag/neorag/internal/server/service"
)

// An indexView is the page of the documents that clients add to a corpus.
type indexView struct {
	Corpus  string
	Formats string
	MaxFile int // MB
}

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
		view := indexView{corpus, "Text, Markdown, HTML, PDF, Office, EPUB, email, tables and others.", files.MaxFile >> 20}
		s.writePage(w, r, http.StatusOK, "index", frame{Title: "Documents of " + corpus, Links: s.navigation(corpus, "Documents"), Content: view})
	})
}
