package web

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestRobotsRules(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, body, allowed, forbidden string }{
		{"none", "", "/ /a", ""},
		{"not robots.txt", "<!doctype html><title>x</title>", "/ /a", ""},
		{"all", "User-agent: *\nDisallow: /", "", "/ /a /a?b"},
		{"nothing", "User-agent: *\nDisallow:", "/ /a", ""},
		{"prefix", "User-agent: *\nDisallow: /a", "/ /b/a /A", "/a /ab /a/b /a?b"},
		{"longest", "User-agent: *\nDisallow: /a\nAllow: /a/b\nDisallow: /a/b/c", "/ /a/b /a/b/d", "/a /a/c /a/b/c"},
		{"the same length", "User-agent: *\nDisallow: /a\nAllow: /a", "/a", ""},
		{"only the home page", "User-agent: *\nAllow: /$\nDisallow: /", "/", "/a /a/ /?a"},
		{"patterns", "User-agent: *\nDisallow: /*.pdf$\nDisallow: /p*/q\nDisallow: /*?", "/a.pdfx /p/r /x/p/q", "/a.pdf /b/c.pdf /p/q /pa/b/qc /a?b"},
		{"start of patterns", "User-agent: *\nDisallow: /\nAllow: /public*/x", "/public/x /publicity/x", "/secret/public/x"},
		{"a dollar sign in the middle", "User-agent: *\nDisallow: /a$b", "/a", "/a$b"},
		{"named agent", "User-agent: neorag\nDisallow: /n\n\nUser-agent: *\nDisallow: /", "/ /a", "/n"},
		{"named agent after all", "User-agent: *\nDisallow: /\n\nUser-agent: NeoRAG/2.0\nAllow: /", "/ /a", ""},
		{"similar names", "User-agent: neo\nUser-agent: neoragx\nAllow: /\n\nUser-agent: *\nDisallow: /", "", "/ /a"},
		{"groups of the same agent", "User-agent: neorag\nDisallow: /a\n\nUser-agent: x\nDisallow: /b\n\nUser-agent: neorag\nDisallow: /c", "/ /b", "/a /c"},
		{"group of several agents", "User-agent: x\nUser-agent: neorag\nUser-agent: *\nDisallow: /a", "/", "/a"},
		{"unrelated lines between agents", "User-agent: neorag\nSitemap: https://example.org/s.xml\n\nUser-agent: x\nDisallow: /a", "/", "/a"},
		{"the agent of the options", "User-agent: reader\nDisallow: /r\n\nUser-agent: *\nDisallow: /", "/ /a", "/r"},
		{"rules without an agent", "Disallow: /a\nUser-agent: *\nDisallow: /b", "/a", "/b"},
		{"lines that cannot be read", "\ufeffuser-agent:*\nCrawl-delay: soon\nnonsense\n:\nDISALLOW : /a # why\r\rDisallow /c\r\ndisallow: b", "/ /nonsense", "/a /b /c"},
		{"escapes", "User-agent: *\nDisallow: /é\nDisallow: /%c3%bc\nDisallow: /%7Ejoe\nDisallow: /a%2fb", "/a/b", "/%C3%A9 /%C3%BC /~joe /%7ejoe /a%2Fb"},
		{"many stars", "User-agent: *\nDisallow: /" + strings.Repeat("*a", 500) + "b", "/" + strings.Repeat("a", 2000), ""},
	} {
		r := parseRobots(c.body, []string{"neorag", "reader"})
		check := func(paths string, want error) {
			for path := range strings.FieldsSeq(paths) {
				u, err := parseAddress("https://example.org" + path)
				if err != nil {
					t.Fatal(err)
				}
				if got := r.check(u); !errors.Is(got, want) {
					t.Errorf("%s: check(%s) = %v, want %v", c.name, path, got, want)
				}
			}
		}
		check(c.allowed, nil)
		check(c.forbidden, errForbidden)
	}
}

func TestRobotsDelay(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]time.Duration{
		"": 0, "2": 2 * time.Second, "0.5": time.Second / 2, "10": 10 * time.Second, "3600": 10 * time.Second, "1e300": 10 * time.Second, "+Inf": 10 * time.Second, "-1": 0, "NaN": 0, "soon": 0,
	} {
		if got := parseRobots("User-agent: *\nCrawl-delay: "+value+"\nDisallow: /x", []string{"neorag"}).delay; got != want {
			t.Errorf("Crawl-delay %q: %v, want %v", value, got, want)
		}
	}
}

// TestRobotsOfASite checks what follows from robots.txt that is there, missing or broken.
func TestRobotsOfASite(t *testing.T) {
	t.Parallel()
	const unread = "read SITE/a: robots.txt of the site cannot be read, and no page without it: "
	const instead = ": try again later, or save the page and index the file"
	for _, c := range []struct {
		name  string
		reply response
		want  string
	}{
		{"missing", response{status: http.StatusNotFound}, ""},
		{"forbidden itself", response{status: http.StatusForbidden, body: "User-agent: *\nDisallow: /"}, ""},
		{"broken", response{status: http.StatusServiceUnavailable}, unread + "the server answers 503 Service Unavailable" + instead},
		{"no content", response{status: http.StatusNoContent}, unread + "the server answers 204 No Content" + instead},
		{"endless", redirect("/robots.txt"), unread + "more than 10 redirects" + instead},
		{"moved", redirect("/moved.txt"), "read SITE/a: robots.txt of the site forbids it: save the page and index the file"},
		{"forbids", typed("text/plain", "User-agent: *\nDisallow: /a"), "read SITE/a: robots.txt of the site forbids it: save the page and index the file"},
		{"forbids another", typed("text/plain", "User-agent: *\nDisallow: /b"), ""},
		{"large", typed("text/plain", "User-agent: *\nAllow: /b\n"+strings.Repeat("# comment\n", maxRobots/10)+"Disallow: /a"), ""},
	} {
		s := serve(t, map[string]response{"/robots.txt": c.reply, "/moved.txt": page("User-agent: neorag\nDisallow: /a"), "/a": page("a")})
		_, _, err := Fetch(t.Context(), s.URL+"/a", private)
		got := ""
		if err != nil {
			got = s.without(err.Error())
		}
		if got != c.want {
			t.Errorf("%s: error %q, want %q", c.name, got, c.want)
		}
	}
	closed := serve(t, nil)
	closed.Close()
	if _, _, err := Fetch(t.Context(), closed.URL, private); err == nil || !strings.Contains(err.Error(), "robots.txt of the site cannot be read") {
		t.Errorf("unreachable: error %v", err)
	}
}

func TestRobotsOfLinks(t *testing.T) {
	t.Parallel()
	s := serve(t, map[string]response{
		"/robots.txt": typed("text/plain", "User-agent: *\nDisallow: /x"),
		"/":           page(`<a href="/x1?token=secret">1</a><a href="/a">a</a><a href="/x2">2</a><a href="/x1?token=secret#b">1</a><a href="/moved">m</a>`),
		"/a":          page(`<a href="/x3">3</a>`),
		"/moved":      redirect("/x4"),
		"/x4":         page("x"),
	})
	files, failures, err := Fetch(t.Context(), s.URL, Options{Private: true, Follow: 2})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"SITE/index.html", "SITE/a.html"}, s.uris(files)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	want := map[string]string{
		"SITE/moved.html":           "read SITE/moved: robots.txt of the site forbids it: save the page and index the file",
		"SITE/x1?token=secret.html": "read SITE/x1?…: robots.txt of the site forbids it: save the page and index the file; it forbids 1 linked page more",
	}
	if diff := cmp.Diff(want, s.errors(failures)); diff != "" {
		t.Errorf("failures (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"/robots.txt", "/", "/a", "/moved"}, s.requested()); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
}

func TestDelays(t *testing.T) {
	t.Parallel()
	s := serve(t, map[string]response{
		"/robots.txt": typed("text/plain", "User-agent: *\nCrawl-delay: 60"),
		"/":           page(`<a href="/a">a</a><a href="/b">b</a>`),
		"/a":          page("a"),
		"/b":          page("b"),
	})
	var waits []string
	o := Options{Private: true, Follow: 5, wait: func(_ context.Context, d time.Duration) error {
		requested := s.requested()
		waits = append(waits, d.String()+" after "+requested[len(requested)-1])
		return nil
	}}
	if files, _, err := Fetch(t.Context(), s.URL, o); err != nil || len(files) != 3 {
		t.Errorf("%d files, error %v", len(files), err)
	}
	if diff := cmp.Diff([]string{"10s after /", "10s after /a"}, waits); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	o.wait = func(context.Context, time.Duration) error { return context.Canceled }
	if _, _, err := Fetch(t.Context(), s.URL, o); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

func FuzzRobots(f *testing.F) {
	f.Add("User-agent: *\nDisallow: /a*b$\nAllow: /\nCrawl-delay: 1", "/axb")
	f.Fuzz(func(t *testing.T, body, path string) {
		r := parseRobots(body, []string{"neorag"})
		if err := r.check(&url.URL{Scheme: "https", Host: "example.org", Path: path}); err != nil && !errors.Is(err, errForbidden) {
			t.Errorf("check(%q): %v", path, err)
		}
		if r.delay < 0 || r.delay > maxDelay {
			t.Errorf("delay %v", r.delay)
		}
	})
}
