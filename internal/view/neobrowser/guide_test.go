package neobrowser

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/neorag/neorag/cypher"
)

// TestGuide checks that the guide has ten pages, links to existing style sheets only, and
// escapes queries.
func TestGuide(t *testing.T) {
	files, err := Files(corpus(), "http://localhost:7")
	if err != nil {
		t.Fatal(err)
	}
	html := string(files[len(files)-1].Body)
	if n := strings.Count(html, "<slide"); n != 10 {
		t.Errorf("the guide has %d pages, want 10", n)
	}
	if strings.Contains(html, "<script") || !strings.Contains(html, "RETURN &#39;&lt;/pre&gt;&lt;script&gt;") {
		t.Errorf("a query is not escaped:\n%s", html)
	}
	for _, m := range regexp.MustCompile(`http://localhost:7/([^"<]*)`).FindAllStringSubmatch(html, -1) {
		if !slices.ContainsFunc(files, func(f File) bool { return f.Name == m[1] }) {
			t.Errorf("the guide links to %s, which does not exist", m[1])
		}
	}
	if alone, err := guide(corpus(), ""); err != nil || strings.Contains(string(alone), "exec-topic") || !strings.Contains(string(alone), "drop the file level0.grass") {
		t.Errorf("the guide without an address is (%v):\n%s", err, alone)
	}
}

// TestGuideQueriesExist checks that every query of the guide is a saved query.
func TestGuideQueriesExist(t *testing.T) {
	for _, s := range slides(corpus()) {
		for _, name := range s.queries {
			if _, ok := cypher.FindSavedQuery(name); !ok {
				t.Errorf("page %s: there is no saved query %s", s.title, name)
			}
		}
	}
}
