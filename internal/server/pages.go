package server

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"path"
	"strings"
	"sync"

	"github.com/neorag/neorag/internal/server/service"
	"github.com/neorag/neorag/internal/text/sanitize"
)

//go:embed web
var web embed.FS

// policy lets a page load its own script, style sheet and icon, and nothing that is written in the page.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
	"form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// assets are the files that pages load, with their media types.
var assets = map[string]string{
	"/assets/ask.js": javaScript, "/assets/index.js": javaScript, "/assets/dom.js": javaScript, "/assets/style.css": "text/css; charset=utf-8", "/assets/icon.svg": "image/svg+xml",
}

const javaScript = "text/javascript; charset=utf-8"

// openPaths are what a browser may read before its user has logged in.
var openPaths = []string{loginPath, "/assets/style.css", "/assets/icon.svg"}

// A frame is what all pages show: a head, the navigation and the content.
type frame struct {
	Title   string
	Links   []navigationLink
	Logout  bool // the user has logged in
	Content any
}

// A navigationLink leads to a page of a corpus.
type navigationLink struct {
	Text, To string
	Here     bool
}

// navigation returns the links to the pages of a corpus.
func (s *server) navigation(corpus, here string) []navigationLink {
	links := []navigationLink{
		{"Ask", "/?corpus=" + url.QueryEscape(corpus), false},
		{"Reports", service.ReportsHref(corpus), false},
		{"Map", service.MapHref(corpus), false},
	}
	if s.changes() {
		links = append(links, navigationLink{"Documents", service.IndexHref(corpus), false})
	}
	for i := range links {
		links[i].Here = links[i].Text == here
	}
	return links
}

// templates are the pages by name, parsed when the first is shown.
var templates = sync.OnceValues(func() (map[string]*template.Template, error) {
	files, err := web.ReadDir("web")
	if err != nil {
		return nil, err
	}
	all := map[string]*template.Template{}
	for _, f := range files {
		name, isPage := strings.CutSuffix(f.Name(), ".html")
		if !isPage || name == "layout" {
			continue
		}
		t := template.New("layout.html").Funcs(template.FuncMap{"clean": sanitize.Controls})
		if all[name], err = t.ParseFS(web, "web/layout.html", path.Join("web", f.Name())); err != nil {
			return nil, err
		}
	}
	return all, nil
})

// render returns a template of a page.
func render(page, name string, value any) ([]byte, error) {
	all, err := templates()
	if err != nil {
		return nil, fmt.Errorf("parse the pages: %w", err)
	}
	var b bytes.Buffer
	if err := all[page].ExecuteTemplate(&b, name, value); err != nil {
		return nil, fmt.Errorf("render page %s: %w", page, err)
	}
	return b.Bytes(), nil
}

// addPages adds the routes of the pages.
func (s *server) addPages(mux *http.ServeMux) {
	for name, kind := range assets {
		mux.HandleFunc("GET "+name, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", kind)
			http.ServeFileFS(w, r, web, "web/"+path.Base(name))
		})
	}
	mux.HandleFunc("GET /{$}", s.askPage)
	s.addPageStream(mux)
	mux.HandleFunc("GET /documents/{corpus}/{key...}", s.documentPage)
	mux.HandleFunc("GET /reports/{corpus}", s.reportsPage)
	mux.HandleFunc("GET /reports/{corpus}/{name...}", s.reportPage)
	mux.HandleFunc("GET /map/{corpus}", s.mapPage)
	if s.changes() {
		s.addIndexPage(mux)
	}
	mux.HandleFunc("GET "+loginPath, s.loginPage)
	mux.HandleFunc("POST "+loginPath, s.login)
	mux.HandleFunc("POST /logout", s.logout)
}

// writePage writes a page.
func (s *server) writePage(w http.ResponseWriter, r *http.Request, status int, page string, f frame) {
	f.Title, f.Logout = sanitize.Controls(f.Title), s.Fence.Token != "" && page != "login"
	body, err := render(page, "layout.html", f)
	if err != nil {
		s.Log.ErrorContext(r.Context(), "cannot write a page", "error", err)
		http.Error(w, "a fault of the server", http.StatusInternalServerError)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", policy)
	h.Set("Referrer-Policy", "same-origin") // with less, browsers send the forms of this page with the origin null
	w.WriteHeader(status)
	_, _ = w.Write(body) // the client has gone if that fails
}

// writeError writes the page of an error. What is not shown looks like what does not exist, whatever it is.
func (s *server) writeError(w http.ResponseWriter, r *http.Request, err error) {
	p := s.problem(r.Context(), err)
	if p.status == http.StatusNotFound {
		p.Body.Message, p.Body.Hint = "There is no such page", "What it shows may have been removed or indexed again since the link was made."
	}
	s.writePage(w, r, p.status, "error", frame{Title: p.Body.Message, Content: p.Body})
}

// mapPage writes the map of a corpus. Its policy is in the page.
func (s *server) mapPage(w http.ResponseWriter, r *http.Request) {
	page, err := s.Service.Map(r.Context(), r.PathValue("corpus"))
	if err != nil {
		s.writeError(w, r, err)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", "frame-ancestors 'none'")
	_, _ = w.Write(page) // the client has gone if that fails
}

// reportsPage lists the reports of a corpus.
func (s *server) reportsPage(w http.ResponseWriter, r *http.Request) {
	corpus := r.PathValue("corpus")
	tree, err := s.Service.ReportsHTML(r.Context(), corpus)
	if err != nil {
		s.writeError(w, r, err)
		return
	}
	s.writePage(w, r, http.StatusOK, "reports", frame{Title: "Reports of " + corpus, Links: s.navigation(corpus, "Reports"), Content: tree})
}

// reportPage shows a report.
func (s *server) reportPage(w http.ResponseWriter, r *http.Request) {
	corpus := r.PathValue("corpus")
	title, report, err := s.Service.ReportHTML(r.Context(), corpus, r.PathValue("name"))
	if err != nil {
		s.writeError(w, r, err)
		return
	}
	s.writePage(w, r, http.StatusOK, "reports", frame{Title: title, Links: s.navigation(corpus, "Reports"), Content: report})
}
