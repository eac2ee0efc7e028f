package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/source"
)

var private = Options{Private: true}

func TestIsURL(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]bool{
		"http://example.org": true, "HTTPS://example.org/a": true, "https://": true,
		"ftp://example.org": false, "example.org": false, "http:/example.org": false, "docs/http://x": false, "": false, "-": false,
	} {
		if got := IsURL(path); got != want {
			t.Errorf("IsURL(%q) = %v, want %v", path, got, want)
		}
	}
}

func TestFetchOnePage(t *testing.T) {
	t.Parallel()
	s := serve(t, map[string]response{"/guide?v=2": page(`<h1>Guide</h1><p>Ada wrote it.</p><a href="/other">x</a>`)})
	files, failures, err := Fetch(t.Context(), s.URL+"/./guide?v=2#top", private)
	if err != nil || len(failures) > 0 {
		t.Fatal(err, failures)
	}
	body := s.pages["/guide?v=2"].body
	want := []source.File{{URI: s.host() + "/guide?v=2.html", Root: s.URL + "/guide?v=2", Path: s.URL + "/guide?v=2", Size: int64(len(body)), Content: []byte(body)}}
	if diff := cmp.Diff(want, files); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"/robots.txt", "/guide?v=2"}, s.requested()); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
	var text string
	if _, err := source.Documents(t.Context(), files[0], source.Options{}, func(d graph.Document) error {
		text = d.MIME + ": " + d.Text
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if want := "text/html: # Guide\n\nAda wrote it.\n\nx"; strings.TrimSpace(text) != want {
		t.Errorf("document %q, want %q", text, want)
	}
}

// TestFollow reads a site whose pages link to each other and elsewhere.
func TestFollow(t *testing.T) {
	t.Parallel()
	pages := map[string]response{
		"/":           page(`<a href="b">b</a> <a href="a#x">a</a> <a href="/a">a again</a> <a href="//elsewhere.invalid/">out</a> <a href="mailto:a@example.org">m</a>`),
		"/b":          page(`<a href="/c">c</a> <a href="/">home</a>`),
		"/a":          page(`<a href="/d">d</a> <a href="/missing">m</a> <a href="/notes.txt">n</a>`),
		"/c":          page(`<a href="/e">e</a>`),
		"/d":          page("d"),
		"/e":          page("e"),
		"/notes.txt":  typed("text/plain", `<a href="/never">not HTML</a>`),
		"/index.html": page("never linked"),
	}
	for _, c := range []struct {
		follow int
		want   []string
	}{
		{0, []string{"SITE/index.html"}},
		{1, []string{"SITE/index.html", "SITE/b.html"}},
		{3, []string{"SITE/index.html", "SITE/b.html", "SITE/a.html", "SITE/c.html"}},
		{5, []string{"SITE/index.html", "SITE/b.html", "SITE/a.html", "SITE/c.html", "SITE/d.html"}}, // and /missing
		{100, []string{"SITE/index.html", "SITE/b.html", "SITE/a.html", "SITE/c.html", "SITE/d.html", "SITE/notes.txt", "SITE/e.html"}},
	} {
		s := serve(t, pages)
		files, failures, err := Fetch(t.Context(), s.URL, Options{Private: true, Follow: c.follow})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, s.uris(files)); diff != "" {
			t.Errorf("Follow %d (-want +got):\n%s", c.follow, diff)
		}
		wantFailures := map[string]string{}
		if c.follow >= 5 {
			wantFailures["SITE/missing.html"] = "read SITE/missing: the server answers 404 Not Found"
		}
		if diff := cmp.Diff(wantFailures, s.errors(failures)); diff != "" {
			t.Errorf("Follow %d: failures (-want +got):\n%s", c.follow, diff)
		}
		for _, f := range files {
			if f.Root != s.URL+"/" {
				t.Errorf("root %q of %s", f.Root, f.URI)
			}
		}
		if n := len(s.requested()); n > c.follow+2 {
			t.Errorf("Follow %d: %d requests", c.follow, n)
		}
	}
}

func TestSamePageAtTwoAddresses(t *testing.T) {
	t.Parallel()
	s := serve(t, map[string]response{
		"/":             page(`<a href="/index.html">home</a> <a href="/old">old</a> <a href="/new">new</a> <a href="/x">x</a> <a href="/x.html?">x</a>`),
		"/index.html":   page(`<a href="/index.html">home</a> <a href="/old">old</a> <a href="/new">new</a> <a href="/x">x</a> <a href="/x.html?">x</a>`),
		"/old":          redirect("/new"),
		"/new":          page("new"),
		"/x":            page("x"),
		"/x.html":       page("not x"),
		"/x.html?token": page("never"),
	})
	s.pages["/index.html"] = s.pages["/"]
	files, failures, err := Fetch(t.Context(), s.URL, Options{Private: true, Follow: 9})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"SITE/index.html", "SITE/new.html", "SITE/x.html"}, s.uris(files)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	want := map[string]string{"SITE/x.html": "read SITE/x.html: http://SITE/x has the same URI and another content: save one of the two as a file of another name and index that"}
	if diff := cmp.Diff(want, s.errors(failures)); diff != "" {
		t.Errorf("failures (-want +got):\n%s", diff)
	}
}

func TestErrorsOfTheGivenPage(t *testing.T) {
	t.Parallel()
	s := serve(t, map[string]response{
		"/broken?key=secret": {status: http.StatusInternalServerError},
		"/odd":               {status: 599},
		"/partial":           {status: http.StatusNoContent},
		"/empty":             {},
		"/picture":           typed("image/png", "\x89PNG"),
		"/photo.log":         typed("image/jpeg", "\xff\xd8"),
		"/typeless":          typed("*", "\x00\x01"),
		"/packed":            {header: map[string]string{"Content-Encoding": "br"}, body: "x"},
		"/nowhere":           redirect(""),
		"/ftp":               redirect("ftp://example.org/"),
		"/file":              redirect("file:///etc/passwd"),
		"/login":             redirect("http://user:secret@example.org/"),
		"/bad":               redirect("http://user:secret@[/"),
	})
	for path, want := range map[string]string{
		"/missing":           "the server answers 404 Not Found",
		"/broken?key=secret": "the server answers 500 Internal Server Error",
		"/odd":               "the server answers 599",
		"/partial":           "the server answers 204 No Content",
		"/empty":             "the page is empty",
		"/picture":           "no format reads image/png: save it in another format and index the file",
		"/photo.log":         "no format reads image/jpeg: save it in another format and index the file",
		"/typeless":          "no format reads application/octet-stream: save it in another format and index the file",
		"/packed":            "packed in a way that was not asked for: save the page and index the file",
		"/nowhere":           "redirected: not to a valid address",
		"/ftp":               "redirected: only http and https addresses are read",
		"/file":              "redirected: only http and https addresses are read",
		"/login":             "redirected: the address has a user name or a password: remove them, or save the page and index the file",
		"/bad":               "redirected: not to a valid address",
	} {
		files, failures, err := Fetch(t.Context(), s.URL+path, private)
		shown, _, query := strings.Cut(path, "?")
		if query {
			shown += "?…"
		}
		if want := "read SITE" + shown + ": " + want; err == nil || s.without(err.Error()) != want {
			t.Errorf("%s: error %v, want %s", path, err, want)
		}
		if files != nil || failures != nil {
			t.Errorf("%s: files %v, failures %v", path, files, failures)
		}
	}
}

func TestErrorsOfAddresses(t *testing.T) {
	t.Parallel()
	for _, address := range []string{
		"https://user:s3cret@example.org/", "https://s3cret@example.org", "https://user:s3cret#x@example.org/", "https://user:s3 cret@example.org",
		"ftp://example.org/s3cret", "https://", "https:example.org", "https://example.org:0/?s3cret", "https://example.org:99999/", "https://exa mple.org",
		"https://a..b/", "https://../x", "https://[::1%25eth0]/", "https://[1]/", "http://2130706433/", "http://0x7f.1/", "http://127.1/", "http://0177.0.0.1/", "http://1.2.3.4.5/",
		"https://a\\b/", "https://a%2fb/", "https://example.org/%zz", "https://example.org/\n", "https://example.org/" + strings.Repeat("a", maxAddress),
	} {
		_, _, err := Fetch(t.Context(), address, private)
		if err == nil || strings.Contains(err.Error(), "s3") || strings.Contains(err.Error(), "\n") {
			t.Errorf("Fetch(%.60q): error %v", address, err)
		}
	}
}

// TestRequests checks what requests hold.
func TestRequests(t *testing.T) {
	t.Parallel()
	s := serve(t, map[string]response{
		"/":  {header: map[string]string{"Set-Cookie": "id=1; Path=/"}, body: `<a href="/a">a</a>`},
		"/a": page("a"),
	})
	if _, _, err := Fetch(t.Context(), s.URL, Options{Private: true, Follow: 1, UserAgent: "Reader/2.0"}); err != nil {
		t.Fatal(err)
	}
	for _, r := range s.requests {
		if r.UserAgent() != "Reader/2.0" {
			t.Errorf("%s: user agent %q", r.URL, r.UserAgent())
		}
		for _, key := range []string{"Cookie", "Referer", "Authorization"} {
			if value := r.Header.Get(key); value != "" {
				t.Errorf("%s: %s %q", r.URL, key, value)
			}
		}
	}
	if len(s.requests) != 3 {
		t.Errorf("%d requests", len(s.requests))
	}
}

func TestCancelled(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		cancel()
		<-r.Context().Done()
	}))
	defer s.Close()
	if files, _, err := Fetch(ctx, s.URL, private); !errors.Is(err, context.Canceled) || files != nil {
		t.Errorf("files %v, error %v", files, err)
	}
	if err := networkError(fmt.Errorf("read: %w", context.DeadlineExceeded)); err.Error() != "no complete answer within 30s" {
		t.Errorf("networkError: %v", err)
	}
}

// TestMissingPages: what no later run can read is skipped with a note, unless it was a document; a
// page that fails for now is a failure. A site with failures is no root, so that nothing is removed.
func TestMissingPages(t *testing.T) {
	t.Parallel()
	s := serve(t, map[string]response{
		"/robots.txt": typed("text/plain", "User-agent: *\nDisallow: /x"),
		"/":           page(`<a href="/missing">m</a><a href="/gone">g</a><a href="/x">x</a><a href="/picture">p</a><a href="/away">a</a><a href="/a">a</a>`),
		"/gone":       {status: http.StatusGone},
		"/picture":    typed("image/png", "\x89PNG"),
		"/away":       redirect("http://elsewhere.invalid/"),
		"/a":          page("a"),
		"/busy":       page(`<a href="/fails">f</a>`),
		"/fails":      {status: http.StatusBadGateway},
	})
	skipped := func(n int, first string) string {
		return fmt.Sprintf("%d linked pages were skipped (%sread SITE/gone: the server answers 410 Gone; read SITE/picture: no format reads image/png: save it in another format and index the file; ", n, first)
	}
	for _, tc := range []struct {
		path, document, note string
		failures             int
	}{
		{"/", "", skipped(5, "read SITE/missing: the server answers 404 Not Found; ") + "…)", 0},
		{"/", "/missing.html", skipped(4, "") + "read SITE/away: it redirects to another site, elsewhere.invalid/: index that address too; …)", 1},
		{"/busy", "", "", 1},
	} {
		listing, err := List(t.Context(), []string{s.URL + tc.path}, source.Options{}, Options{Private: true, Follow: 9})
		if err != nil {
			t.Fatal(err)
		}
		site := strings.TrimPrefix(s.URL, "http://")
		note := listing.TakeMissing(func(uri string) bool { return uri == site+tc.document })
		if diff := cmp.Diff(tc.note, strings.ReplaceAll(note, site, "SITE")); diff != "" {
			t.Errorf("%s with %q: note (-want +got):\n%s", tc.path, tc.document, diff)
		}
		if len(listing.Failures) != tc.failures || (tc.failures > 0) != (len(listing.Roots) == 0) {
			t.Errorf("%s with %q: failures %v, roots %v", tc.path, tc.document, listing.Failures, listing.Roots)
		}
	}
}
