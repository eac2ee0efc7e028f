package web

import (
	"net/url"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/source"
)

func TestNormalise(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"HTTP://Example.ORG":                      "http://example.org/",
		" https://example.org. ":                  "https://example.org/",
		"https://example.org:443/#top":            "https://example.org/",
		"http://example.org:0080/?":               "http://example.org/",
		"http://example.org:443/":                 "http://example.org:443/",
		"https://example.org:/a":                  "https://example.org/a",
		"https://example.org/a/../b/./c/..":       "https://example.org/b/",
		"https://example.org/a/%2e%2E/b":          "https://example.org/b",
		"https://example.org/../../a":             "https://example.org/a",
		"https://example.org//a//b/":              "https://example.org//a//b/",
		"https://example.org/%7ejoe/%c3%a9/é":     "https://example.org/~joe/%C3%A9/%C3%A9",
		"https://example.org/a%2fb%5c%0a":         "https://example.org/a%2Fb%5C%0A",
		`https://example.org/a\b"<c>`:             "https://example.org/a%5Cb%22%3Cc%3E",
		`https://example.org/a b?c d=\&e=100%&f#`: "https://example.org/a%20b?c%20d=%5C&e=100%25&f",
		"https://example.org?b=2&a=%31":           "https://example.org/?b=2&a=1",
		"https://bücher.example/":                 "https://xn--bcher-kva.example/",
		"https://my_host.example.org/":            "https://my_host.example.org/",
		"http://[2001:DB8:0::1]:8080/":            "http://[2001:db8::1]:8080/",
		"http://127.0.0.1/":                       "http://127.0.0.1/",
	} {
		got, err := parseAddress(address)
		if err != nil || got.String() != want {
			t.Errorf("parseAddress(%q) = %v, %v, want %s", address, got, err, want)
			continue
		}
		again, err := parseAddress(got.String())
		if err != nil || again.String() != want {
			t.Errorf("parseAddress(%q) = %v, %v", got, again, err)
		}
	}
}

func TestURI(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ address, mediaType, want string }{
		{"https://example.org/", "text/html", "example.org/index.html"},
		{"https://example.org/guide", "text/html", "example.org/guide.html"},
		{"https://example.org/guide/", "text/html", "example.org/guide/index.html"},
		{"https://example.org/guide/intro.html", "text/html", "example.org/guide/intro.html"},
		{"https://example.org/intro.HTM", "text/html", "example.org/intro.HTM"},
		{"https://example.org:8080/guide", "text/plain", "example.org:8080/guide.txt"},
		{"https://example.org/guide?v=2", "text/html", "example.org/guide?v=2.html"},
		{"https://example.org/guide.html?v=2", "text/html", "example.org/guide.html?v=2.html"},
		{"https://example.org/?a=/../b.html", "text/html", "example.org/index?a=%2F..%2Fb.html"},
		{"https://example.org/get?file=a.md", "text/plain", "example.org/get?file=a.md"},
		{"https://example.org/blob/README.md", "text/html", "example.org/blob/README.md.html"},
		{"https://example.org/raw/README.md", "text/plain", "example.org/raw/README.md"},
		{"https://example.org/wiki/Node.js", "text/html", "example.org/wiki/Node.js.html"},
		{"https://example.org/paper.html", "application/pdf", "example.org/paper.html.pdf"},
		{"https://example.org/paper", "application/pdf", "example.org/paper.pdf"},
		{"https://example.org/paper.pdf", "application/octet-stream", "example.org/paper.pdf"},
		{"https://example.org/data", "application/json", "example.org/data.json"},
		{"https://example.org/data.jsonl", "application/json", "example.org/data.jsonl"},
		{"https://example.org/table.csv", "application/vnd.ms-excel", "example.org/table.csv"},
		{"https://example.org/table.csv.gz", "text/csv", "example.org/table.csv.gz.csv"},
		{"https://example.org/table.csv.gz", "application/gzip", ""},
		{"https://example.org/notes", "text/markdown", "example.org/notes.md"},
		{"https://example.org/1.5", "text/html", "example.org/1.5.html"},
		{"https://example.org/wiki/%C3%89tat_(pays)", "text/html", "example.org/wiki/État_(pays).html"},
		{"https://example.org/%E6%97%A5%E6%9C%AC%20x", "text/html", "example.org/日本%20x.html"},
		{"https://example.org/%E2%80%AE%C2%85%FF%EF%BC%8F", "text/html", "example.org/%E2%80%AE%C2%85%FF%EF%BC%8F.html"},
		{"https://example.org/logo.png", "image/png", ""},
		{"https://example.org/logo.log", "image/png", ""},
		{"https://example.org/data", "application/octet-stream", ""},
	} {
		u, err := parseAddress(c.address)
		if err != nil {
			t.Fatal(err)
		}
		got, ok := uriOf(u, c.mediaType)
		if ok != (c.want != "") || ok && got != c.want {
			t.Errorf("uriOf(%s, %s) = %q, %v, want %q", c.address, c.mediaType, got, ok, c.want)
		}
	}
}

func TestMediaTypes(t *testing.T) {
	t.Parallel()
	pages := map[string]response{}
	want := map[string]string{}
	for header, extension := range map[string]string{
		"text/html": ".html", "TEXT/HTML; charset=utf-8": ".html", "text/html; charset": ".html", "application/xhtml+xml": ".html",
		"text/plain": ".txt", "text/markdown": ".md", "text/x-markdown": ".md", "text/csv; header=present": ".csv", "application/csv": ".csv", "text/tab-separated-values": ".tsv",
		"application/pdf": ".pdf", "application/json": ".json", "application/x-ndjson": ".jsonl", "application/epub+zip": ".epub", "application/rtf": ".rtf", "text/rtf": ".rtf",
		"application/vnd.openxmlformats-officedocument.wordprocessingml.document":   ".docx",
		"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet":         ".xlsx",
		"application/vnd.openxmlformats-officedocument.presentationml.presentation": ".pptx",
		"application/vnd.oasis.opendocument.text":                                   ".odt",
		"": ".html", "text/css": "", "application/zip": "",
	} {
		path := "/" + url.PathEscape(header) + "x"
		pages[path] = typed(header, "<html><p>x</p></html>")
		want[path] = extension
	}
	s := serve(t, pages)
	for path, extension := range want {
		files, _, err := Fetch(t.Context(), s.URL+path, private)
		switch {
		case extension == "" && err == nil:
			t.Errorf("%s: no error, files %v", path, s.uris(files))
		case extension != "" && (err != nil || !strings.HasSuffix(files[0].URI, "x"+extension)):
			t.Errorf("%s: files %v, error %v", path, s.uris(files), err)
		}
	}
}

func TestCharsets(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, header, body, want string }{
		{"UTF-8", "text/html", "é", "é"},
		{"UTF-8 with a wrong header", "text/html; charset=iso-8859-1", "é", "é"},
		{"only the header", `text/html; charset="KOI8-R"`, "\xd0\xd2\xc9", "при"},
		{"text", "text/plain; charset=windows-1251", "\xcf\xf0\xe8", "При"},
		{"shift of states", "text/html; charset=iso-2022-jp", "\x1b$B$\"\x1b(B", "あ"},
		{"no header", "text/html", "\xe9t\xe9", "\xe9t\xe9"},
		{"UTF-8 that is not", "text/html; charset=utf-8", "\xe9t\xe9", "\xe9t\xe9"},
		{"unknown", "text/html; charset=klingon", "\xe9t\xe9", "\xe9t\xe9"},
		{"replacement", "text/html; charset=hz-gb-2312", "\xe9t\xe9", "\xe9t\xe9"},
		{"byte order mark", "text/html; charset=utf-16", "\xfe\xff\x00a\xd8", "\xfe\xff\x00a\xd8"},
		{"not a text", "application/pdf; charset=koi8-r", "%PDF\xd0", "%PDF\xd0"},
	} {
		s := serve(t, map[string]response{"/": typed(c.header, c.body)})
		files, _, err := Fetch(t.Context(), s.URL, private)
		if err != nil || len(files) != 1 {
			t.Errorf("%s: error %v", c.name, err)
			continue
		}
		if got := string(files[0].Content); got != c.want || files[0].Size != int64(len(c.want)) {
			t.Errorf("%s: content %q, want %q", c.name, got, c.want)
		}
	}
}

func TestLinks(t *testing.T) {
	t.Parallel()
	const site = "https://example.org"
	for _, c := range []struct {
		name, html string
		want       []string
	}{
		{"none", "text", nil},
		{"relative", `<a href="b">x</a><A HREF=../c>x</A><a href='?q=1'>x</a><a href="">x</a><a href="#t">x</a>`, []string{"/a/b", "/c", "/a/page?q=1", "/a/page?s=1", "/a/page?s=1"}},
		{"absolute", `<a href="//example.org/x">x</a><a href="http://other.example/">x</a>`, []string{"/x", "http://other.example/"}},
		{"base", `<a href="x">x</a><base href="/docs/"><base href="/second/"><a href="y">y</a>`, []string{"/docs/x", "/docs/y"}},
		{"base elsewhere", `<base href="https://cdn.example/d/"><a href="x">x</a>`, []string{"https://cdn.example/d/x"}},
		{"base that is none", `<base target="_top"><base href="javascript:x"><a href="x">x</a>`, []string{"/a/x"}},
		{"other schemes", `<a href="mailto:a@b">x</a><a href="javascript:void(0)">x</a><a href="data:text/html,x">x</a><a href="tel:1">x</a><a href="ftp://a/">x</a>`, nil},
		{"not valid", `<a href="http://[">x</a><a href="https://u:p@example.org/">x</a><a href="http://127.1/">x</a><a href="%zz">x</a><a href="&#1;">x</a>`, nil},
		{"nofollow", `<a href="x" rel="external NoFollow">x</a><a href="y" rel="nofollowing">y</a>`, []string{"/a/y"}},
		{"page that forbids it", `<a href="x">x</a><meta name="ROBOTS" content="noindex, nofollow">`, nil},
		{"page that forbids it all", `<meta content=none name=neorag><a href="x">x</a>`, nil},
		{"page that forbids another", `<meta name="robots" content="noindex"><meta name="other" content="nofollow"><a href="x">x</a>`, []string{"/a/x"}},
		{"other elements", `<link href="/l"><area href="/r"><img src="/i"><a name="n">x</a><script>"<a href='/s'>"</script><!-- <a href="/c"> -->`, nil},
		{"first attribute", `<a href="x" href="y">x</a>`, []string{"/a/x"}},
		{"white space", "<a href=' \n/b\tc\n '>x</a>", []string{"/bc"}},
		{"entities", `<a href="?a=1&amp;b=2">x</a>`, []string{"/a/page?a=1&b=2"}},
		{"long", `<a href="/` + strings.Repeat("é", maxAddress/3) + `">x</a><a href="` + strings.Repeat("x", maxAddress+1) + `">x</a>`, nil},
		{"cut", `<a href="x"><a href="y`, []string{"/a/x"}},
	} {
		page, err := parseAddress(site + "/a/page?s=1")
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for u := range links(page, []byte(c.html)) {
			got = append(got, strings.TrimPrefix(u.String(), site))
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// checkURI checks the promises about URIs.
func checkURI(t *testing.T, u *url.URL, mediaType string) {
	t.Helper()
	uri, ok := uriOf(u, mediaType)
	if uri == "" || !strings.HasPrefix(uri, u.Host+"/") || !utf8.ValidString(uri) {
		t.Errorf("uriOf(%s) = %q", u, uri)
	}
	for segment := range strings.SplitSeq(uri, "/") {
		if segment == "." || segment == ".." {
			t.Errorf("uriOf(%s) = %q has the segment %q", u, uri, segment)
		}
	}
	if i := strings.IndexFunc(uri, func(r rune) bool {
		return r == '\\' || r == '#' || !unicode.IsGraphic(r) || unicode.IsSpace(r)
	}); i >= 0 {
		t.Errorf("uriOf(%s) = %q has a character that does not belong there at %d", u, uri, i)
	}
	if ok && source.MediaType(uri) == "" {
		t.Errorf("uriOf(%s) = %q, which no format reads", u, uri)
	}
}

func FuzzURI(f *testing.F) {
	for _, address := range []string{"https://example.org/a/../b?c=/../d#e", "http://[::1]:80/%2e%2e/%5c%0a%c2%85", "http://a/%E2%80%AE/.html", "HTTP://BÜCHER.example:8080//..", "http://\x8c"} {
		f.Add(address, "text/html")
	}
	f.Fuzz(func(t *testing.T, address, mediaType string) {
		u, err := parseAddress(address)
		if err != nil {
			if strings.ContainsAny(err.Error(), "\n\r") {
				t.Errorf("parseAddress(%q): %v", address, err)
			}
			return
		}
		if again, err := parseAddress(u.String()); err != nil || again.String() != u.String() {
			t.Errorf("parseAddress(%q) = %v, %v", u, again, err)
		}
		for _, m := range []string{mediaType, htmlType, "text/plain", "image/png", ""} {
			checkURI(t, u, m)
		}
	})
}

func FuzzLinks(f *testing.F) {
	f.Add([]byte(`<base href="/x/"><a href="..\..\y?z#a">x</a><a href='%2e%2e/&#10;'>x</a>`))
	f.Add([]byte(`<meta name=robots content=nofollow><a href=x>`))
	f.Fuzz(func(t *testing.T, content []byte) {
		page, err := parseAddress("https://example.org/a/b")
		if err != nil {
			t.Fatal(err)
		}
		for u := range links(page, content) {
			if u.Scheme != "http" && u.Scheme != "https" || u.User != nil || u.Fragment != "" {
				t.Errorf("link %s", u)
			}
			checkURI(t, u, htmlType)
		}
	})
}
