package server

import (
	"encoding/json"
	"html"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/server/servertest"
	"github.com/neorag/neorag/internal/server/service"
)

// browse reads a page as a browser does, and returns its status, headers and text.
func browse(t *testing.T, address string) (int, http.Header, string) {
	t.Helper()
	return browseWith(t, &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}, address)
}

func browseWith(t *testing.T, client *http.Client, address string) (int, http.Header, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Accept", "text/html,application/xhtml+xml")
	return send(t, client, r)
}

var (
	markPattern = regexp.MustCompile(`(?s)<mark id="words" tabindex="-1">(.*?)</mark>`)
	textPattern = regexp.MustCompile(`(?s)<div class="text"[^>]*>(.*?)</div>`)
	nextPattern = regexp.MustCompile(`rel="next" href="([^"]*)"`)
	prevPattern = regexp.MustCompile(`rel="prev" href="([^"]*)"`)
	hrefPattern = regexp.MustCompile(`href="([^"]*)"`)
)

// found returns the first group of a pattern in a page, unescaped.
func found(pattern *regexp.Regexp, page string) string {
	m := pattern.FindStringSubmatch(page)
	if m == nil {
		return ""
	}
	return html.UnescapeString(m[1])
}

// TestPages reads every kind of page: its status, its headers, and that no page contains a script or a
// style.
func TestPages(t *testing.T) {
	t.Parallel()
	corpus := servertest.Sample(t, examples)
	address := start(t, writing(t, servertest.Service(t, nil, corpus)))
	other := servertest.Index(t, map[string]string{"a.txt": "Ann Lee met Bob Ray in Rome. Ann Lee met Bob Ray in Rome."})
	missing := ""
	for _, tt := range []struct {
		path   string
		status int
		want   string
	}{
		{"/", 200, "<option selected>" + corpus + "</option>"},
		{"/?corpus=unknown", 200, "<h1"},
		{"/documents/" + corpus + "/christmas-carol/stave-1.txt", 200, "Marley was dead"},
		{"/documents/" + corpus + "/christmas-carol/stave-1.txt?start=999999&end=1000000", 200, "stave-1"},
		{"/documents/" + corpus + "/christmas-carol/stave-1.txt?start=-5&end=x&from=99999999999999999999", 200, "stave-1"},
		{"/reports/" + corpus, 200, "Scrooge"},
		{"/reports/" + corpus + "/C0_0", 200, "<h2>Children</h2>"},
		{"/index/" + corpus, 200, `<a href="/documents/` + corpus + `/christmas-carol/stave-1.txt`},
		{"/index/" + corpus + "?after=" + corpus + "/christmas-carol/stave-2.txt", 200, "None yet."},
		{"/index/" + other, 404, ""},
		{"/documents/" + corpus + "/none.txt", 404, ""},
		{"/documents/" + corpus + "/", 404, ""},
		{"/documents/" + other + "/documents/a.txt", 404, ""},
		{"/documents/unknown/a.txt", 404, ""},
		{"/reports/" + other, 404, ""},
		{"/reports/unknown", 404, ""},
		{"/reports/" + corpus + "/none", 404, ""},
		{"/reports/" + other + "/C0_0", 404, ""},
		{"/map/" + other, 404, ""},
		{"/map/unknown", 404, ""},
	} {
		status, h, page := browse(t, address+tt.path)
		if status != tt.status || !strings.Contains(page, tt.want) {
			t.Errorf("%s: status %d, want %d with %q: %.900s", tt.path, status, tt.status, tt.want, page)
		}
		if h.Get("Content-Security-Policy") != policy || h.Get("Content-Type") != "text/html; charset=utf-8" || h.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: headers %v", tt.path, h)
		}
		if strings.Contains(page, "<style") || strings.Contains(page, " style=") || strings.Contains(page, "<script>") || !strings.Contains(page, `<html lang="en">`) || !strings.Contains(page, `class="skip"`) {
			t.Errorf("%s: %.900s", tt.path, page)
		}
		if tt.status != http.StatusNotFound {
			continue
		}
		if missing == "" {
			missing = page
		}
		if diff := cmp.Diff(missing, page); diff != "" {
			t.Errorf("%s looks different from others that are not there:\n%s", tt.path, diff)
		}
	}
}

// TestMapPage serves the map that the export writes, which has its own policy, and makes it once.
func TestMapPage(t *testing.T) {
	t.Parallel()
	corpus := servertest.Sample(t, examples)
	address := start(t, Options{Version: "test", Service: servertest.Service(t, nil, corpus)})
	status, h, page := browse(t, address+"/map/"+corpus)
	if status != http.StatusOK || h.Get("Content-Security-Policy") != "frame-ancestors 'none'" || !strings.Contains(page, "script-src 'sha256-") {
		t.Errorf("status %d, headers %v: %.300s", status, h, page)
	}
	if _, _, again := browse(t, address+"/map/"+corpus); again != page {
		t.Error("another map at the second request")
	}
}

// TestMarksAreTheQuotes follows the links of the references of answers: the marked words are the quotes, in
// texts with a byte order mark, with lines of Windows, in other scripts, and in tables.
func TestMarksAreTheQuotes(t *testing.T) {
	t.Parallel()
	corpus := servertest.Index(t, map[string]string{
		"windows.txt":         "\xef\xbb\xbfThe harbour of Port Elm opened in 1902.\r\n\r\nKapitän Jörg Müller ran the harbour of Port Elm.\r\nHe \"retired\" in <1931> & left.\r\n",
		"names/a b#c%d?.md":   "# Größe & Maß\n\nÄnne Weiß measured the bridge of Port Elm: it is 71 metres long, 漢字 and all.\n\n- The toll of the bridge was 5 pence.\n",
		"figures/harbour.csv": "ship,captain,year\nElm Star,Jörg Müller,1904\nNorth Wind,Änne Weiß,1911\n",
		"lighthouse.txt":      "The lighthouse of Port Elm burned down in 1944.\n",
	})
	address := start(t, Options{Version: "test", Service: servertest.Service(t, nil, corpus)})
	marked := 0
	for _, question := range []string{
		"When did the harbour of Port Elm open?", "Who ran the harbour of Port Elm?", "How long is the bridge of Port Elm?",
		"What was the toll of the bridge?", "Who was the captain of the North Wind?", "What happened to the lighthouse?", "What are the main themes?",
	} {
		var a query.Answer
		request(t, http.MethodPost, address+"/api/v1/ask", `{"question":`+strconv.Quote(question)+`}`, http.StatusOK, &a)
		for _, r := range a.References {
			if r.Href == "" || r.Quote == "" {
				continue
			}
			marked++
			status, _, page := browse(t, address+r.Href)
			if got := found(markPattern, page); status != http.StatusOK || got != r.Quote {
				t.Errorf("%s leads to %s, status %d, with the marked words %q, want %q", question, r.Href, status, got, r.Quote)
			}
			if strings.Contains(page, "has changed since") {
				t.Errorf("%s: the page has a banner: %.900s", r.Href, page)
			}
			if _, _, page = browse(t, address+strings.Replace(r.Href, "&h=", "&h=0", 1)); !strings.Contains(page, "has changed since") {
				t.Errorf("%s: no banner for other words", r.Href)
			}
		}
	}
	if marked < 8 {
		t.Errorf("%d quotes were marked, want 8 at least", marked)
	}
}

// TestMarksAtAllOffsets marks ranges of a document: its first and last words, single bytes, and ranges that begin or
// end inside of a character.
func TestMarksAtAllOffsets(t *testing.T) {
	t.Parallel()
	text := "Änne saw it. 漢字 and <b>tags</b>.\n\n" + strings.Repeat("Ann Lee & Bob Ray met in Rome. ", 300) + "\n\nThe end is near: Ö"
	corpus := servertest.Index(t, map[string]string{"a.txt": text})
	address := start(t, Options{Version: "test", Service: servertest.Service(t, nil, corpus)})
	n := len(text)
	for _, tt := range []struct {
		start, end int
		want       string
	}{
		{0, 2, "Ä"},
		{0, 5, "Änne"},
		{2, 3, "n"},
		{14, 17, text[14:17]},
		{0, 1, ""},
		{n - 2, n, "Ö"},
		{n - 9, n + 50, text[n-9:]},
		{n - 1, n, "Ö"}, // inside of a character, which is marked whole
		{15, 17, text[14:17]},
	} {
		status, _, page := browse(t, address+service.DocumentHref(corpus, corpus+"/documents/a.txt", tt.start, tt.end, ""))
		if got := found(markPattern, page); status != http.StatusOK || got != tt.want {
			t.Errorf("bytes %d to %d: status %d, marked %q, want %q", tt.start, tt.end, status, got, tt.want)
		}
	}
}

// TestPartsOfADocument reads a document from its beginning to its end and back: each word once.
func TestPartsOfADocument(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for i := range 3000 {
		b.WriteString("wörd" + strconv.Itoa(i) + "漢 ")
		if i%40 == 39 {
			b.WriteString("\r\n\r\n")
		}
	}
	corpus := servertest.Index(t, map[string]string{"a.txt": "\xef\xbb\xbf" + b.String()})
	address := start(t, Options{Version: "test", Service: servertest.Service(t, nil, corpus)})
	want := strings.Fields(b.String())
	read := func(from string, link *regexp.Regexp) (parts []string) {
		for to := from; to != ""; {
			_, _, page := browse(t, address+to)
			parts = append(parts, regexp.MustCompile(`<[^>]*>`).ReplaceAllString(found(textPattern, page), ""))
			if to = found(link, page); len(parts) > 50 {
				t.Fatalf("no end at %s", to)
			}
		}
		return parts
	}
	path := "/documents/" + corpus + "/documents/a.txt"
	if diff := cmp.Diff(want, strings.Fields(strings.Join(read(path, nextPattern), " "))); diff != "" {
		t.Errorf("forwards (-want +got):\n%s", diff)
	}
	middle := path + "?start=20000&end=20010"
	before, after := read(middle, prevPattern), read(middle, nextPattern)
	var words []string
	for _, part := range before[1:] {
		words = append(strings.Fields(part), words...)
	}
	words = append(words, strings.Fields(strings.Join(after, " "))...)
	if diff := cmp.Diff(want, words); diff != "" {
		t.Errorf("from the middle (-want +got):\n%s", diff)
	}
}

// TestLinksOfReports follows every link of the reports' pages.
func TestLinksOfReports(t *testing.T) {
	t.Parallel()
	corpus := servertest.Sample(t, examples)
	address := start(t, Options{Version: "test", Service: servertest.Service(t, nil, corpus)})
	_, _, list := browse(t, address+"/reports/"+corpus)
	kinds, seen := map[string]int{}, map[string]bool{}
	for _, m := range hrefPattern.FindAllStringSubmatch(list, 12) {
		_, _, page := browse(t, address+html.UnescapeString(m[1]))
		for _, m := range hrefPattern.FindAllStringSubmatch(page, 40) {
			href := html.UnescapeString(m[1])
			if seen[href] || !strings.HasPrefix(href, "/reports/") && !strings.HasPrefix(href, "/documents/") {
				continue
			}
			seen[href] = true
			status, _, to := browse(t, address+href)
			if status != http.StatusOK || strings.Contains(href, "start=") && found(markPattern, to) == "" {
				t.Errorf("%s: status %d", href, status)
			}
			kinds[strings.Split(href, "/")[1]]++
		}
	}
	if kinds["reports"] < 5 || kinds["documents"] < 5 {
		t.Errorf("links by kind: %v", kinds)
	}
}

// TestPageStream asks as the page does: the last event has the answer as HTML, in which texts are only text.
func TestPageStream(t *testing.T) {
	t.Parallel()
	corpus := servertest.Index(t, map[string]string{`<img src=x onerror=alert(1)>.md`: "# <script>alert(1)</script>\n\nThe harbour of Port Elm <b onclick=alert(1)>opened</b> in 1902 [link](javascript:alert(1)).\n"})
	address := start(t, Options{Version: "test", Service: servertest.Service(t, nil, corpus)})
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address+"/ask/stream", strings.NewReader(`{"question":"When did the harbour of Port Elm open?"}`))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	status, _, stream := send(t, http.DefaultClient, r)
	_, last, _ := strings.Cut(stream, "event: answer\ndata: ")
	var a pageAnswer
	if err := json.Unmarshal([]byte(strings.TrimSpace(last)), &a); err != nil || status != http.StatusOK {
		t.Fatalf("status %d, %v: %.900s", status, err, stream)
	}
	id := found(regexp.MustCompile(`href="#([^"]*)"`), a.HTML)
	if id == "" || !strings.Contains(a.Sources, `<li id="`+id+`"`) || !strings.Contains(a.HTML, "chosen by rules") {
		t.Errorf("answer %s\nsources %s", a.HTML, a.Sources)
	}
	for _, part := range []string{a.HTML, a.Sources} {
		if regexp.MustCompile(`<(script|img|b onclick|a [^>]*href="javascript)`).MatchString(part) {
			t.Errorf("a text became HTML: %s", part)
		}
	}
}

// TestHrefs leads back from the path of each name of a document, whatever characters it has.
func TestHrefs(t *testing.T) {
	t.Parallel()
	mux := http.NewServeMux()
	got := ""
	mux.HandleFunc("GET /documents/{corpus}/{key...}", func(_ http.ResponseWriter, r *http.Request) { got = r.PathValue("key") })
	for _, name := range []string{
		"a.txt", "a/b c.txt", "a?b#c%d&e.txt", "%2F%2e", "漢字/ö.md", "https://example.org/a/../b?c=d", "/home/a.txt", "a//b", "../a", "./a", "a/", `a\b`, "a;b,c+d", "<script>",
	} {
		u, err := url.Parse("http://127.0.0.1" + service.DocumentHref("main", "main/"+name, 3, 5, "q"))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		w := httptest.NewRecorder()
		mux.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, u.RequestURI(), http.NoBody))
		if got != name || w.Code != http.StatusOK || u.Query().Get("start") != "3" || u.Fragment != service.MarkID {
			t.Errorf("%s: %s leads to %q, status %d", name, u, got, w.Code)
		}
	}
}
