package index_test

import (
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/neorag/neorag/internal/index"
)

// TestWebPages indexes a page with those that it links to, and again after they changed. A page that
// cannot be read removes nothing.
func TestWebPages(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	pages := map[string]string{
		"/": `<h1>Harbour</h1><p>Maria Brenner leads the Harbour Office.</p><a href="/broken">b</a><a href="/a.html">a</a>`, "/a.html": `<p>Tobias Reed kept the keys.</p><a href="/b.html">b</a>`, "/b.html": "<p>Clara Hale sailed.</p>",
	}
	set := func(path, page string) {
		mu.Lock()
		defer mu.Unlock()
		pages[path] = page
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		page := pages[r.URL.Path]
		if page == "" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte(page))
	}))
	defer server.Close()
	store := open(t, nil)
	o := options(corpus(t, store))
	o.Web.Private, o.Web.Follow = true, 5
	for _, step := range []struct {
		name   string
		change func()
		want   index.DocumentCounts
		exit   int
		none   bool // nothing is written
	}{
		{"first", func() {}, index.DocumentCounts{Added: 3}, 0, false},
		{"again", func() {}, index.DocumentCounts{Unchanged: 3}, 0, true},
		{"a page is gone, which leads to another", func() { set("/a.html", "") }, index.DocumentCounts{Unchanged: 1, Failed: 1}, 3, false},
		{"still", func() {}, index.DocumentCounts{Unchanged: 1, Failed: 1}, 3, true},
		{"no link leads to it", func() { set("/", "<p>Maria Brenner leads it.</p>") }, index.DocumentCounts{Changed: 1, Removed: 2}, 0, false},
	} {
		step.change()
		r := run(t, store, o, server.URL)
		if r.Documents != step.want || r.Exit != step.exit || step.none != (r.Writes == 0) {
			t.Errorf("%s: %+v, exit %d, %d writes, %v", step.name, r.Documents, r.Exit, r.Writes, r.Failures)
		}
	}
}
