package server

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/query/cite"
	"github.com/neorag/neorag/internal/ui/markdown"
)

// TestChatLinks lists sources that share a title or a page, that have no page, and whose texts are Markdown or
// HTML: each is a separate source, and no text becomes a link or a tag.
func TestChatLinks(t *testing.T) {
	t.Parallel()
	reference := func(n int, title, href, quote string, line int) cite.Reference {
		return cite.Reference{N: n, Title: title, Href: href, Quote: quote, Place: cite.Place{Line: line}}
	}
	a := query.Answer{Answer: "Äh [1]. So [2][10].", References: []cite.Reference{
		reference(2, "Carol", "/documents/c/a?start=1&end=5", "Marley\n was dead", 3), reference(1, "Carol", "/documents/c/a?start=1&end=5", "", 3),
		reference(3, "Carol", "", "", 0), reference(4, "Carol", "", "", 0),
		reference(10, "a](http://evil.example) <img src=x>", "/reports/c/1", "[x](http://evil.example) <b>"+strings.Repeat(" so", 200), 0),
	}}
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "http://[::1]:7480/", nil)
	r.Header.Set("X-Forwarded-Proto", "https")
	links := linksOf(r, a)
	base := "https://[::1]:7480"
	at := base + "/documents/c/a?start=1&end=5"
	want := []ChatAnnotation{
		{"url_citation", ChatCitation{Start: 103, End: 106, Title: "Carol, line 3 (1)", URL: at + "#1"}},
		{"url_citation", ChatCitation{Start: 111, End: 114, Title: "Carol, line 3", URL: at}},
		{"url_citation", ChatCitation{Start: 100, End: 100, Title: "Carol", URL: base + "/"}},
		{"url_citation", ChatCitation{Start: 100, End: 100, Title: "Carol (4)", URL: base + "/#4"}},
		{"url_citation", ChatCitation{Start: 114, End: 118, Title: "a](http://evil.example) <img src=x>", URL: base + "/reports/c/1"}},
	}
	if diff := cmp.Diff(want, links.annotations(a.Answer, 100)); diff != "" {
		t.Errorf("annotations (-want +got):\n%s", diff)
	}
	list := links.list()
	for _, line := range []string{"- [1] [Carol, line 3 (1)](" + at + "#1)\n", "- [2] [Carol, line 3](" + at + "): \"Marley was dead\"\n", "- [3] Carol\n", "- [4] Carol (4)\n"} {
		if !strings.Contains(list, line) {
			t.Errorf("%q lacks %q", list, line)
		}
	}
	html := markdown.HTML(list, 0, func(int) string { return "" })
	if strings.Contains(list, "[x](http") || strings.Contains(list, "a](http") || strings.Contains(html, `href="http://evil`) || strings.Contains(html, "<img") || strings.Contains(html, "<b>") || len(list) > 1000 {
		t.Errorf("list %s\nis %s", list, html)
	}
	for _, proto := range []string{"", "javascript", "HTTPS"} {
		r.Header.Set("X-Forwarded-Proto", proto)
		if got := baseOf(r); got != "http://[::1]:7480" {
			t.Errorf("with the protocol %q the address is %s", proto, got)
		}
	}
	if none := (chatLinks{}); none.list() != "" || none.annotations("x", 0) == nil {
		t.Error("no sources have a list, or no annotations")
	}
}
