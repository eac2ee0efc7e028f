package server

import (
	"cmp"
	"math"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"unicode"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/server/service"
	"github.com/neorag/neorag/internal/text/sanitize"
)

const (
	pageBytes   = 8000 // of a document's text on a page
	aroundBytes = 2500 // of the text on each side of the marked words
	maxWord     = 200  // bytes of a word that is not divided
)

// A documentView is a part of a document, around the words of a reference or from a position on.
type documentView struct {
	Document              service.Document
	Before, Marked, After string
	MarkID                string
	Where                 string // of the marked words
	Changed               bool   // other words were there when the link was made
	Previous, Next        string // paths; empty at the ends
	From, To, Length      int
}

// Title returns the title of the document, or its name.
func (v documentView) Title() string {
	return cmp.Or(strings.TrimSpace(sanitize.Controls(v.Document.Title)), v.Document.Document)
}

// documentPage shows the text of a document from the query's from on, up to until, or around start and end.
func (s *server) documentPage(w http.ResponseWriter, r *http.Request) {
	corpus := r.PathValue("corpus")
	v, err := s.readDocument(r, corpus, graph.DocumentKey(corpus, r.PathValue("key")))
	if err != nil {
		s.writeError(w, r, err)
		return
	}
	v.link(r.URL)
	s.writePage(w, r, http.StatusOK, "document", frame{Title: v.Title(), Links: s.navigation(corpus, ""), Content: v})
}

func (s *server) readDocument(r *http.Request, corpus, key string) (documentView, error) {
	q := r.URL.Query()
	start, end, until := offset(q, "start"), offset(q, "end"), offset(q, "until")
	around, marked := aroundBytes, end > start
	switch {
	case marked:
	case until > 0:
		around, start, end = 0, max(0, until-pageBytes), until
	default:
		around, start = 0, max(start, offset(q, "from"))
		end = start + pageBytes
	}
	t, err := s.Service.Text(r.Context(), corpus, key, start, end, around)
	if err != nil {
		return documentView{}, err
	}
	v := documentView{Document: t.Document, MarkID: service.MarkID, From: t.From, To: t.To, Length: t.Length, Before: t.Before, After: t.After}
	if marked {
		v.Marked, v.Where = t.Quote, t.Where()
		h := q.Get("h")
		v.Changed = h != "" && h != service.HashQuote(t.Quote)
	} else {
		v.After = t.Quote
	}
	if v.To <= v.From { // white space alone
		v.From, v.To = start, end
	}
	v.limit(start-around <= 0, end+around >= t.Length, marked || until > 0, until == 0)
	return v, nil
}

// limit lets a page begin and end with the document, or between words.
func (v *documentView) limit(isFirst, isLast, cutStart, cutEnd bool) {
	switch {
	case isFirst:
		v.From = 0
	case cutStart && v.Before != "":
		v.Before = v.cutStart(v.Before)
	case cutStart:
		v.After = v.cutStart(v.After)
	}
	switch {
	case isLast:
		v.To = v.Length
	case cutEnd:
		v.After = v.cutEnd(v.After)
	}
}

// link sets the links to the pages before and after.
func (v *documentView) link(page *url.URL) {
	if v.From > 0 {
		v.Previous = page.EscapedPath() + "?until=" + strconv.Itoa(v.From)
	}
	if v.To < v.Length {
		v.Next = page.EscapedPath() + "?from=" + strconv.Itoa(v.To)
	}
}

// cutStart removes the rest of a word with which a text begins. It has no line break, so that it has as many
// bytes in the document.
func (v *documentView) cutStart(text string) string {
	at := strings.IndexFunc(text, unicode.IsSpace)
	if at < 0 || at > maxWord {
		return text
	}
	v.From += at
	return text[at:]
}

// cutEnd removes the begin of a word with which a text ends.
func (v *documentView) cutEnd(text string) string {
	kept := strings.TrimRightFunc(text, func(r rune) bool { return !unicode.IsSpace(r) })
	if kept == "" || len(text)-len(kept) > maxWord {
		return text
	}
	v.To -= len(text) - len(kept)
	return kept
}

// offset returns an offset of a query, 0 unless there is one.
func offset(q url.Values, name string) int {
	n, err := strconv.Atoi(q.Get(name))
	if err != nil {
		return 0
	}
	return min(max(n, 0), math.MaxInt32)
}
