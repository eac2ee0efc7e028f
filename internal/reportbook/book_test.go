package reportbook_test

import (
	"context"
	"errors"
	"html"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/neo4jstore"
	"github.com/neorag/neorag/internal/neo4jtest"
	"github.com/neorag/neorag/internal/reportbook"
)

func TestMain(m *testing.M) { neo4jtest.Main(m) }

// hostile is a document that tries to be a page, and files elsewhere.
const hostile = `<script>alert(1)</script> Clara "Quote" Hale met [Tobias Reed](javascript:alert(1)) at ../../etc. Clara Hale and Tobias Reed
kept the books & more. Tobias Reed told Clara Hale about <img src=x onerror=alert(2)> Victor Lang. Victor Lang met Clara Hale in Glasgow.`

func indexed(t *testing.T) *reportbook.Book {
	t.Helper()
	conn := neo4jtest.Server(t)
	store, err := neo4jstore.Open(t.Context(), neo4jstore.Config{URI: conn.URI, Username: conn.User, Password: conn.Password})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close(context.Background()) })
	corpus := neo4jtest.Borrow(t, "index")
	if _, err := reportbook.Open(t.Context(), store, corpus); !errors.Is(err, reportbook.ErrNone) && !errors.Is(err, neo4jstore.ErrNoCorpus) {
		t.Errorf("an empty corpus: got %v", err)
	}
	file := filepath.Join(t.TempDir(), "hostile.txt")
	if err := os.WriteFile(file, []byte(hostile), 0o600); err != nil {
		t.Fatal(err)
	}
	x, err := index.New(store, index.Options{Corpus: corpus})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := x.Run(t.Context(), []string{filepath.Join("..", "..", "examples", "christmas-carol"), file}); err != nil {
		t.Fatal(err)
	}
	b, err := reportbook.Open(t.Context(), store, corpus)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// export collects the pages by path.
func export(t *testing.T, b *reportbook.Book, format string) map[string]string {
	t.Helper()
	pages := map[string]string{}
	n, err := b.Export(t.Context(), format, func(name string, body []byte) error {
		if _, twice := pages[name]; twice {
			t.Errorf("%s is written twice", name)
		}
		pages[name] = string(body)
		return nil
	})
	if err != nil || n != len(pages) {
		t.Fatalf("%d pages, %d counted, %v", len(pages), n, err)
	}
	return pages
}

var (
	safe   = regexp.MustCompile(`^(?:(?:reports|entities|relationships|claims|chunks)/)?[A-Za-z0-9_-]{1,60}\.(?:md|html)$`)
	toMD   = regexp.MustCompile(`[^\\]\]\(([^)]*)\)`)
	toHTML = regexp.MustCompile(`href="([^"]*)"`)
)

func TestBook(t *testing.T) {
	t.Parallel()
	b := indexed(t)
	t.Run("list", func(t *testing.T) { testList(t, b) })
	for format, links := range map[string]*regexp.Regexp{"md": toMD, "html": toHTML} {
		t.Run(format, func(t *testing.T) {
			pages := export(t, b, format)
			if diff := cmp.Diff(pages, export(t, b, format)); diff != "" {
				t.Errorf("a second export differs:\n%s", diff)
			}
			testLinks(t, pages, links)
			if format == "html" {
				testTags(t, pages)
			}
		})
	}
	if _, err := b.Export(t.Context(), "pdf", nil); err == nil {
		t.Error("a form that there is not: no error")
	}
}

// testList: every report is in the tree once, and found by all of its names.
func testList(t *testing.T, b *reportbook.Book) {
	if len(b.Entries) < 5 || len(b.Tree("")) != len(b.Entries) {
		t.Errorf("%d reports, %d in the tree", len(b.Entries), len(b.Tree("")))
	}
	for _, e := range b.Entries {
		for _, name := range []string{e.Label, strings.ToLower(e.Label), e.Key, e.Community} {
			if got, err := b.Find(name); err != nil || got.Key != e.Key {
				t.Errorf("find %q: %v, %v", name, got.Label, err)
			}
		}
		if got, err := b.Find(" " + strings.ToUpper(e.Title)); err != nil || !strings.EqualFold(got.Title, e.Title) {
			t.Errorf("find %q: %v, %v", e.Title, got.Label, err)
		}
		if (e.Level == 0) != (e.Parent == "") || e.Final != (len(e.Children) == 0) {
			t.Errorf("%+v hangs on nothing", e)
		}
	}
	if _, err := b.Find("nothing"); !errors.Is(err, reportbook.ErrUnknown) {
		t.Errorf("an unknown name: %v", err)
	}
	reports, err := b.Read(t.Context(), b.Entries)
	if err != nil || len(reports) != len(b.Entries) {
		t.Fatalf("%d reports of %d, %v", len(reports), len(b.Entries), err)
	}
	for i, r := range reports {
		if r.Key != b.Entries[i].Key || r.Text == "" || len(r.References) == 0 || !strings.Contains(r.Markdown(), "## References") {
			t.Errorf("%s is not whole: %+v", r.Label, r)
		}
	}
}

// testLinks: every link leads to a page, and every page but the index is led to.
func testLinks(t *testing.T, pages map[string]string, links *regexp.Regexp) {
	led := map[string]bool{}
	for name, body := range pages {
		if !safe.MatchString(name) {
			t.Errorf("%q is no safe name of a file", name)
		}
		for _, m := range links.FindAllStringSubmatch(body, -1) {
			to := path.Join(path.Dir(name), html.UnescapeString(m[1]))
			led[to] = true
			if _, there := pages[to]; !there {
				t.Errorf("%s leads to %s, which is no page", name, m[1])
			}
		}
	}
	kinds := map[string]int{}
	for name := range pages {
		kinds[path.Dir(name)]++
		if !led[name] {
			t.Errorf("no page leads to %s", name)
		}
	}
	if kinds["reports"] == 0 || kinds["entities"]+kinds["relationships"]+kinds["claims"] == 0 {
		t.Errorf("pages by kind: %v", kinds)
	}
}

var tags = regexp.MustCompile(`<(/?[A-Za-z!][A-Za-z0-9]*)`)

// testTags: no page holds a tag of a document, and none runs or loads anything.
func testTags(t *testing.T, pages map[string]string) {
	ours := strings.Fields("!DOCTYPE html head meta title style body nav a h1 h2 h3 h4 h5 h6 p ul ol li blockquote em strong code pre br hr")
	hostile := false
	for name, body := range pages {
		for _, m := range tags.FindAllStringSubmatch(body, -1) {
			if !slices.Contains(ours, strings.TrimPrefix(m[1], "/")) {
				t.Errorf("%s holds <%s>", name, m[1])
			}
		}
		hostile = hostile || strings.Contains(body, "&lt;script&gt;") || strings.Contains(body, "&lt;img")
		if strings.Contains(body, `href="javascript`) || strings.Contains(body, "http://") || strings.Contains(body, "https://") {
			t.Errorf("%s leads elsewhere", name)
		}
	}
	if !hostile {
		t.Error("the hostile document is in no page")
	}
}
