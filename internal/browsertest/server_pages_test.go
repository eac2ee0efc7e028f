package browsertest_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/neorag/neorag/internal/browsertest/chromium"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/server"
	"github.com/neorag/neorag/internal/server/servertest"
	"github.com/neorag/neorag/internal/testkit/fakemodel"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
	"github.com/neorag/neorag/internal/testkit/testcorpora"
	"github.com/neorag/neorag/prompts"
)

func TestMain(m *testing.M) { neo4jtest.Main(m) }

// serve starts a server over a corpus of documents, with a model of a handler, and returns its address. A streamed
// answer stays open until the page closes it, as on a slow connection: the page must not wait for that.
func serve(t *testing.T, corpus, token string, handler func(llmtest.Request) llmtest.Reply) string {
	t.Helper()
	model := llmtest.New(llmtest.Options{Handler: handler})
	t.Cleanup(model.Close)
	pages := server.New(server.Options{Version: "test", Service: servertest.Service(t, model, corpus), Fence: server.Fence{Token: token}})
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		pages.ServeHTTP(w, r)
		if r.URL.Path == "/ask/stream" {
			<-r.Context().Done()
		}
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// openServer opens a path of a server in Chromium.
func openServer(t *testing.T, address, path string) *chromium.Page {
	t.Helper()
	p, err := chromium.OpenServer(t.Context(), address, path, 1200, 800)
	if errors.Is(err, chromium.ErrMissing) {
		testcorpora.Missing(t, "chromium", err.Error())
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

// checkQuiet fails if a page has sent requests elsewhere or has errors on its console.
func checkQuiet(t *testing.T, p *chromium.Page) {
	t.Helper()
	if requests := p.Requests(); len(requests) > 0 {
		t.Errorf("the pages requested %v", requests)
	}
	if problems := p.Problems(); len(problems) > 0 {
		t.Errorf("errors on the console: %v", problems)
	}
}

// tabTo presses the tabulator until an element has the focus, which must be visible on the way.
func tabTo(t *testing.T, p *chromium.Page, selector string) {
	t.Helper()
	for range 100 {
		must(t, p.Type("\t"))
		at := evaluate[string](t, p, fmt.Sprintf(`(() => { const a = document.activeElement; if (a === document.body) return "";
const s = getComputedStyle(a); return a.matches(%q) ? "found" : s.outlineStyle === "none" && s.boxShadow === "none" ? "invisible: " + a.outerHTML : "" })()`, selector))
		if at == "found" {
			return
		}
		if at != "" {
			t.Errorf("the focus is %s", at)
		}
	}
	t.Fatalf("the tabulator does not reach %s", selector)
}

var harbour = map[string]string{
	"harbour.txt":    strings.Repeat("The town has streets and houses.\n\n", 200) + "The harbour of Port Elm opened in 1902. Ann Lee built the harbour of Port Elm with Bob Ray.\n\n" + strings.Repeat("The sea is near.\n\n", 200),
	"lighthouse.txt": "The lighthouse stands at the harbour of Port Elm. Bob Ray kept the harbour of Port Elm open in the storm of 1911.\n",
	"bridge.md":      "# The bridge\n\nThe bridge leads to the harbour of Port Elm. Ann Lee measured the bridge.\n",
}

// TestPageInBrowser asks a question by keyboard alone while the answer is streamed, follows a citation to
// its source and the source to the marked words, and reads the reports, the map and narrow pages.
func TestPageInBrowser(t *testing.T) {
	t.Parallel()
	half, goOn := make(chan struct{}), make(chan struct{})
	var once sync.Once
	corpus := servertest.Index(t, harbour)
	address := serve(t, corpus, "", func(r llmtest.Request) llmtest.Reply {
		reply := fakemodel.Handler(r)
		if task := fakemodel.Task(r); task == prompts.Answer || task == prompts.Local {
			reply.Half = func(ctx context.Context) {
				once.Do(func() { close(half) })
				select {
				case <-goOn:
				case <-ctx.Done():
				}
			}
		}
		return reply
	})
	p := openServer(t, address, "/")
	must(t, p.Wait(`document.activeElement.id === "question"`))
	evaluate[bool](t, p, `(() => { document.getElementById("method").value = "basic"; return true })()`)
	must(t, p.Type("What is known of the harbour of Port Elm?\r"))
	<-half
	must(t, p.Wait(`document.querySelector(".draft")?.textContent.includes("harbour")`))
	if state := evaluate[string](t, p, `[document.querySelector(".answer").innerHTML, document.getElementById("stop").hidden, document.querySelector(".draft").ariaHidden, document.querySelector(".answer").ariaLive].join()`); state != ",false,true,polite" {
		t.Errorf("while it is written: %s", state)
	}
	close(goOn)
	must(t, p.Wait(`document.querySelector(".answer .by") !== null`))
	if by := evaluate[string](t, p, `document.querySelector(".by").textContent + document.querySelectorAll(".draft").length`); !strings.Contains(by, "model "+servertest.Model) || !strings.HasSuffix(by, "0") {
		t.Errorf("written by: %s", by)
	}
	t.Run("citation", func(t *testing.T) { followCitation(t, p) })
	t.Run("narrow and legible", func(t *testing.T) {
		for _, path := range []string{"/", "/documents/" + corpus + "/documents/harbour.txt?start=6808&end=6841#words", "/reports/" + corpus, "/reports/" + corpus + "/C0_0"} {
			must(t, p.Go(address+path))
			checkLayout(t, p)
		}
		must(t, p.Resize(1200, 800))
	})
	must(t, p.Go(address+"/map/"+corpus))
	must(t, p.Wait(mapStarted))
	if overview := evaluate[string](t, p, panelText); !strings.Contains(overview, "3 documents") {
		t.Errorf("the map is: %.300s", overview)
	}
	checkQuiet(t, p)
	if size := sizeOf(t, address+"/assets/ask.js"); size > 60<<10 {
		t.Errorf("the scripts have %d bytes", size)
	}
}

// followCitation follows citation 2 of an answer by keyboard.
func followCitation(t *testing.T, p *chromium.Page) {
	tabTo(t, p, `.answer a[href$="-2"]`)
	must(t, p.Type("\r"))
	must(t, p.Wait(`document.querySelector(".sources li:target .number")?.textContent === "2"`))
	tabTo(t, p, `.sources li:target a`)
	quote := evaluate[string](t, p, `document.querySelector(".sources li:target blockquote").textContent`)
	href := evaluate[string](t, p, `document.activeElement.href`)
	must(t, p.Go(href))
	must(t, p.Wait(`document.readyState === "complete"`))
	if marked := evaluate[string](t, p, `document.querySelector("mark").textContent`); marked != quote || quote == "" {
		t.Errorf("%s marks %q, want %q", href, marked, quote)
	}
	must(t, p.Wait(`(() => { const r = document.querySelector("mark").getBoundingClientRect(); return r.top >= 0 && r.bottom <= innerHeight })()`))
}

// faint lists texts whose contrast to what is behind them is less than 4.5 to 1.
const faint = `(() => {
  const parts = (c) => c.match(/[\d.]+/g).map(Number);
  const light = ([r, g, b]) => [r, g, b].map((v) => v / 255).map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4).reduce((s, v, i) => s + v * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = (e) => { for (; e; e = e.parentElement) { const c = parts(getComputedStyle(e).backgroundColor); if (c.length === 3 || c[3] === 1) return c } return [255, 255, 255] };
  return [...document.body.querySelectorAll("*")].filter((e) => [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim())).filter((e) => {
    const [a, b] = [light(parts(getComputedStyle(e).color)), light(behind(e))];
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05) < 4.5;
  }).map((e) => e.outerHTML.slice(0, 100)).join("\n");
})()`

// checkLayout checks that a page is legible in both themes, and needs no horizontal scrolling when it is narrow.
func checkLayout(t *testing.T, p *chromium.Page) {
	t.Helper()
	at := evaluate[string](t, p, `location.pathname`)
	for _, dark := range []bool{false, true} {
		must(t, p.Dark(dark))
		if texts := evaluate[string](t, p, faint); texts != "" {
			t.Errorf("%s, dark %v: too little contrast:\n%s", at, dark, texts)
		}
	}
	must(t, p.Resize(360, 740))
	if width := evaluate[int](t, p, `document.documentElement.scrollWidth`); width > 360 {
		t.Errorf("%s is %d points wide in a window of 360", at, width)
	}
}

func sizeOf(t *testing.T, address string) int {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, http.NoBody)
	must(t, err)
	response, err := http.DefaultClient.Do(r)
	must(t, err)
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	must(t, err)
	if response.StatusCode != http.StatusOK {
		t.Fatalf("%s: status %d", address, response.StatusCode)
	}
	return len(body)
}

// hostile returns 60 texts that try to run a script or to load something.
func hostile() []string {
	const foreign = "https://evil.example/"
	forms := []string{
		"<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "<svg onload=alert(1)>", "<svg/onload=alert`1`>", "<iframe src=javascript:alert(1)></iframe>",
		`"><script>alert(1)</script>`, `'><img src=x onerror=alert(1)>`, "</title><script>alert(1)</script>", "</textarea><script>alert(1)</script>", "</script><script>alert(1)</script>",
		"--><script>alert(1)</script>", "]]><script>alert(1)</script>", "<body onload=alert(1)>", "<input autofocus onfocus=alert(1)>", "<details open ontoggle=alert(1)>",
		"<video><source onerror=alert(1)></video>", "<math><a xlink:href=javascript:alert(1)>x</a></math>", "<a href=javascript:alert(1)>x</a>", "[x](javascript:alert(1))", "![x](" + foreign + "a.png)",
		"<img src=" + foreign + "b.png>", "<link rel=stylesheet href=" + foreign + "c.css>", "<style>@import '" + foreign + "d.css'</style>", "<base href=" + foreign + ">", "<meta http-equiv=refresh content='0;url=" + foreign + "'>",
		"<form action=" + foreign + "><button>x</button></form>", "<object data=" + foreign + "></object>", "<embed src=" + foreign + ">", "{{.Title}} {{alert(1)}}", "${alert(1)}",
	}
	all := slices.Clone(forms)
	for i, form := range forms {
		switch i % 3 {
		case 0:
			all = append(all, "`"+form+"` **"+form+"**")
		case 1:
			all = append(all, "&lt;x&gt; "+strings.ToUpper(form)+" \u202e")
		default:
			all = append(all, "# "+form+"\t[1]")
		}
	}
	return all
}

// fileName returns a text as the name of a file.
func fileName(text string) string {
	return strings.NewReplacer("/", "_", "\t", " ", "\n", " ").Replace(text)
}

// TestStoredScriptsDoNotRun shows hostile texts of documents, names, titles, headings, questions and answers in all
// pages.
func TestStoredScriptsDoNotRun(t *testing.T) {
	t.Parallel()
	texts := hostile()
	documents := map[string]string{}
	var names []string
	for i, part := range slices.Collect(slices.Chunk(texts, 10)) {
		var b strings.Builder
		fmt.Fprintf(&b, "# %s\n\n", strings.TrimPrefix(part[0], "# "))
		for _, text := range part {
			fmt.Fprintf(&b, "## %s\n\nAnn Lee %s met Bob Ray in Port Elm. %s Ray and Ann Lee met the harbour of Port Elm.\n\n", text, text, text)
		}
		name := fmt.Sprintf("%d %.60s.md", i, fileName(part[1]))
		documents[name], names = b.String(), append(names, "documents/"+name)
	}
	corpus := servertest.Index(t, documents)
	var words atomic.Value // of the next answer
	address := serve(t, corpus, "", func(r llmtest.Request) llmtest.Reply {
		if task := fakemodel.Task(r); task != prompts.Answer && task != prompts.Local {
			return fakemodel.Handler(r)
		}
		text, _ := words.Load().(string)
		return llmtest.Reply{Text: "Ann Lee " + text + " met Bob Ray in Port Elm [Data: Sources (1)]. " + text + " [Data: Sources (2)]"}
	})
	p := openServer(t, address, "/?corpus="+url.QueryEscape(texts[0]))
	for part := range slices.Chunk(texts, 4) {
		text := strings.Join(part, " ")
		words.Store(text)
		evaluate[bool](t, p, fmt.Sprintf(`(() => { document.getElementById("fresh").click(); document.getElementById("method").value = "basic";
document.getElementById("question").value = %q; document.getElementById("ask").requestSubmit(); return true })()`, "Who met Ann Lee "+text+"?"))
		must(t, p.Wait(`document.querySelector(".answer .by, .question .error") !== null`))
		if failed := evaluate[string](t, p, `document.querySelector(".question .error")?.textContent ?? ""`); failed != "" {
			t.Fatalf("%s: %s", text, failed)
		}
	}
	paths := []string{"/reports/" + corpus}
	for _, name := range names {
		paths = append(paths, "/documents/"+corpus+"/"+strings.ReplaceAll(url.PathEscape(name), "%2F", "/"), "/documents/"+corpus+"/"+strings.ReplaceAll(url.PathEscape(name), "%2F", "/")+"?start=40&end=90&h="+url.QueryEscape(names[0]))
	}
	must(t, p.Go(address+"/reports/"+corpus))
	paths = append(paths, strings.Fields(evaluate[string](t, p, `[...document.querySelectorAll("main a")].slice(0, 30).map((a) => a.pathname).join(" ")`))...)
	if len(paths) < 2*len(names)+2 {
		t.Errorf("%d pages: %v", len(paths), paths)
	}
	for _, path := range paths {
		must(t, p.Go(address+path))
		if title := evaluate[string](t, p, `document.title + document.querySelectorAll("main script, main img, main style, main iframe, main [onerror], main [onload]").length`); strings.Contains(title, "no such page") || !strings.HasSuffix(title, "NeoRAG0") {
			t.Errorf("%s: %s", path, title)
		}
	}
	must(t, p.Go(address+"/map/"+corpus))
	must(t, p.Wait(mapStarted))
	checkQuiet(t, p)
	t.Run("what is not there", func(t *testing.T) { openHostilePaths(t, serve(t, corpus, "a token of enough letters", nil), texts) })
}

// openHostilePaths opens paths that have hostile texts, before a login.
func openHostilePaths(t *testing.T, address string, texts []string) {
	p := openServer(t, address, "/login")
	for _, text := range texts {
		must(t, p.Go(address+"/login?next="+url.QueryEscape("/"+text)))
		must(t, p.Go(address+"/reports/"+url.PathEscape(text)))
		if at := evaluate[string](t, p, `location.pathname`); at != "/login" {
			t.Errorf("%s leads to %s", text, at)
		}
	}
	checkQuiet(t, p)
}
