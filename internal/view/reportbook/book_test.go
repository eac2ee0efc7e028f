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

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
	"github.com/neorag/neorag/internal/view/reportbook"
)

func TestMain(m *testing.M) { neo4jtest.Main(m) }

// hostile is a document that tries to inject HTML, links and paths.
const hostile = `<script>alert(1)</script> Clara "Quote" Hale met [Tobias Reed](javascript:alert(1)) at ../../../etc. Clara Hale and Tobias Reed
kept the books & more. Tobias Reed told Clara Hale about <img src=x onerror=alert(2)> Victor Lang. Victor Lang met Clara Hale in Glasgow.`

// A fakeStore holds the reports of each generation, and publishes the next one after
// the first listing.
type fakeStore struct {
	reports map[int64][]neo4jstore.ReportRow
	current int64
}

func (s *fakeStore) Generation(context.Context, string) (int64, error) { return s.current, nil }

func (s *fakeStore) ReportList(_ context.Context, _ string, generation int64, _ string, _ int) ([]neo4jstore.ReportRow, error) {
	s.current = 2
	return s.reports[generation], nil
}

func (s *fakeStore) ReportTexts(_ context.Context, _ string, keys []string) ([]graph.Report, error) {
	var found []graph.Report
	for _, row := range s.reports[s.current] {
		if slices.Contains(keys, row.Key) {
			found = append(found, row.Report)
		}
	}
	return found, nil
}

func (s *fakeStore) Evidence(_ context.Context, _ string, refs []graph.Reference) ([]neo4jstore.Evidence, error) {
	var found []neo4jstore.Evidence
	for _, ref := range refs {
		switch {
		case ref.Kind == graph.KindDocument:
			found = append(found, neo4jstore.Evidence{Kind: ref.Kind, Key: ref.Key, Title: "A story", DocumentURI: "story.txt"})
		case ref.Key != "c/gone":
			found = append(found, neo4jstore.Evidence{Kind: ref.Kind, Key: ref.Key, Title: "Title of " + ref.Key, Document: "c/story.txt"})
		}
	}
	return found, nil
}

// TestBookOfNewGeneration checks that a generation that is published while reports are
// listed is the one that is read, and that citations of missing nodes are dropped.
func TestBookOfNewGeneration(t *testing.T) {
	t.Parallel()
	row := func(label, key, parent string, level int) neo4jstore.ReportRow {
		return neo4jstore.ReportRow{
			Report: graph.Report{Key: "c/" + key, Level: level, Title: "On " + key, FullContent: "# On " + key + "\n\nText [1][2].", References: []graph.Reference{
				{N: 1, Kind: graph.KindEntity, Key: "c/scrooge"}, {N: 2, Kind: graph.KindEntity, Key: "c/gone"},
			}},
			Community: graph.Community{Key: "c/of-" + key, Label: label, Parent: parent},
		}
	}
	store := &fakeStore{current: 1, reports: map[int64][]neo4jstore.ReportRow{
		1: {row("C0_0", "old", "", 0)},
		2: {row("C1_0", "child", "c/of-root", 1), row("C0_0", "root", "", 0)},
	}}
	b, err := reportbook.Open(t.Context(), store, "c")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"C0_0  On root (0 entities)", "└─ C1_0  On child (0 entities)"}, b.Tree("")); diff != "" {
		t.Errorf("tree (-want +got):\n%s", diff)
	}
	pages := export(t, b, "md")
	want := "[Contents](../index.md)\n\n# On child\n\nText [\\[1\\]](../entities/scrooge-6b93a51f.md)\\[2\\].\n\nC1\\_0: level 1, 0 entities, rating 0\n\nFrom A story\n\n" +
		"## Parent\n\n- [C0\\_0 On root (0 entities)](../reports/C0_0.md)\n\n## References\n\n- \\[1\\] entity: [Title of c/scrooge](../entities/scrooge-6b93a51f.md)\n"
	if diff := cmp.Diff(want, pages["reports/C1_0.md"]); diff != "" {
		t.Errorf("page (-want +got):\n%s", diff)
	}
	testLinks(t, pages, linkMD)
}

func indexed(t *testing.T) *reportbook.Book {
	t.Helper()
	conn := neo4jtest.Server(t)
	store, err := neo4jstore.Open(t.Context(), neo4jstore.Config{URI: conn.URI, Username: conn.User, Password: conn.Password})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close(context.Background()) })
	corpus := neo4jtest.Borrow(t, "index")
	if _, err := reportbook.Open(t.Context(), store, corpus); !errors.Is(err, reportbook.ErrNoReports) && !errors.Is(err, neo4jstore.ErrNoCorpus) {
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
	if _, err := x.Run(t.Context(), []string{filepath.Join("..", "..", "..", "examples", "christmas-carol"), file}); err != nil {
		t.Fatal(err)
	}
	b, err := reportbook.Open(t.Context(), store, corpus)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// export returns the pages by path.
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
	safeName = regexp.MustCompile(`^(?:(?:reports|entities|relationships|claims|chunks)/)?[A-Za-z0-9_-]{1,60}\.(?:md|html)$`)
	linkMD   = regexp.MustCompile(`[^\\]\]\(([^)]*)\)`)
	linkHTML = regexp.MustCompile(`href="([^"]*)"`)
)

func TestBook(t *testing.T) {
	t.Parallel()
	b := indexed(t)
	t.Run("list", func(t *testing.T) { testList(t, b) })
	for format, links := range map[string]*regexp.Regexp{"md": linkMD, "html": linkHTML} {
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
		t.Error("an unknown format: no error")
	}
}

// testList checks that every report is in the tree once, and found by all of its names.
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
			t.Errorf("%+v: level, parent and children do not agree", e)
		}
	}
	if _, err := b.Find("nothing"); !errors.Is(err, reportbook.ErrUnknownReport) {
		t.Errorf("an unknown name: %v", err)
	}
	reports, err := b.Read(t.Context(), b.Entries)
	if err != nil || len(reports) != len(b.Entries) {
		t.Fatalf("%d reports of %d, %v", len(reports), len(b.Entries), err)
	}
	for i, r := range reports {
		if len(r.Documents) == 0 || !strings.Contains(r.Markdown(), "\n- From stave-") && !strings.Contains(r.Markdown(), "\n- From hostile") {
			t.Errorf("%s names no document: %+v", r.Label, r.Documents)
		}
		if r.Key != b.Entries[i].Key || r.Text == "" || len(r.References) == 0 || !strings.Contains(r.Markdown(), "## References") {
			t.Errorf("%s is not whole: %+v", r.Label, r)
		}
	}
}

// testLinks checks that every link leads to a page, and that a page leads to every other.
func testLinks(t *testing.T, pages map[string]string, links *regexp.Regexp) {
	linked := map[string]bool{}
	for name, body := range pages {
		if !safeName.MatchString(name) {
			t.Errorf("%q is not a safe file name", name)
		}
		for _, m := range links.FindAllStringSubmatch(body, -1) {
			to := path.Join(path.Dir(name), html.UnescapeString(m[1]))
			linked[to] = true
			if _, there := pages[to]; !there {
				t.Errorf("%s links to %s, which is not a page", name, m[1])
			}
		}
	}
	kinds := map[string]int{}
	for name := range pages {
		kinds[path.Dir(name)]++
		if !linked[name] {
			t.Errorf("no page links to %s", name)
		}
	}
	if kinds["reports"] == 0 || kinds["entities"]+kinds["relationships"]+kinds["claims"] == 0 {
		t.Errorf("pages by kind: %v", kinds)
	}
}

var tags = regexp.MustCompile(`<(/?[A-Za-z!][A-Za-z0-9]*)`)

// testTags checks that no page contains a tag of a document, and that none runs or loads
// anything.
func testTags(t *testing.T, pages map[string]string) {
	ours := strings.Fields("!DOCTYPE html head meta title style body nav a h1 h2 h3 h4 h5 h6 p ul ol li blockquote em strong code pre br hr table tr th td")
	hostile := false
	for name, body := range pages {
		for _, m := range tags.FindAllStringSubmatch(body, -1) {
			if !slices.Contains(ours, strings.TrimPrefix(m[1], "/")) {
				t.Errorf("%s contains <%s>", name, m[1])
			}
		}
		hostile = hostile || strings.Contains(body, "&lt;script&gt;") || strings.Contains(body, "&lt;img")
		if strings.Contains(body, `href="javascript`) || strings.Contains(body, "http://") || strings.Contains(body, "https://") {
			t.Errorf("%s links elsewhere", name)
		}
	}
	if !hostile {
		t.Error("no page shows the hostile document")
	}
}
