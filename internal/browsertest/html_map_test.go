package browsertest_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/browsertest/chromium"
	"github.com/neorag/neorag/internal/testkit/testcorpora"
	"github.com/neorag/neorag/internal/view/htmlmap"
	"github.com/neorag/neorag/internal/view/htmlmap/pagetest"
)

// openMap writes the map of a source to a file and opens it in Chromium.
func openMap(t *testing.T, s htmlmap.Source) *chromium.Page {
	t.Helper()
	path := filepath.Join(t.TempDir(), "map of #1.html")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(htmlmap.Write(f, s), f.Close()); err != nil {
		t.Fatal(err)
	}
	p, err := chromium.Open(t.Context(), path, 1200, 800)
	if errors.Is(err, chromium.ErrMissing) {
		testcorpora.Missing(t, "chromium", err.Error())
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	must(t, p.Wait(mapStarted))
	return p
}

// mapStarted is true when the script of a map runs.
const mapStarted = "window.app !== undefined"

func evaluate[T any](t *testing.T, p *chromium.Page, expression string) T {
	t.Helper()
	v, err := chromium.Evaluate[T](p, expression)
	if err != nil {
		t.Fatalf("%s: %v", expression, err)
	}
	return v
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

const panelText = `document.getElementById("panel").innerText`

// settled is true when nothing on the map moves.
const settled = `!app.camera.flight && performance.now() - app.begun > 500`

// TestMapInBrowser opens a map from a file: search and clicks show cards and reports,
// texts stay texts, and the page requests nothing.
func TestMapInBrowser(t *testing.T) {
	t.Parallel()
	p := openMap(t, pagetest.Hostile())
	if painter := evaluate[string](t, p, "app.painter.name"); painter != "WebGL" {
		t.Errorf("the map is drawn by %s", painter)
	}
	if drawn := evaluate[int](t, p, `(() => { app.frame(performance.now()); const gl = app.painter.gl, w = app.map.width, h = app.map.height, p = new Uint8Array(w * h * 4);
gl.readPixels(0, 0, w, h, gl.RGBA, gl.UNSIGNED_BYTE, p); let n = 0; for (let i = 3; i < p.length; i += 4) if (p[i] > 200) n++; return n })()`); drawn < 5000 {
		t.Errorf("got %d drawn pixels, want at least 5000", drawn)
	}
	overview := evaluate[string](t, p, panelText)
	if !strings.Contains(overview, "60 entities") || !strings.Contains(overview, pagetest.Script) {
		t.Errorf("the overview is: %.300s", overview)
	}

	must(t, p.Type("/"))
	// The protocol sends a key and a letter. The page suppresses the letter of a keyboard only.
	if at := evaluate[string](t, p, `(() => { document.getElementById("query").value = ""; return document.activeElement.id })()`); at != "query" {
		t.Errorf("the slash focuses %q, want query", at)
	}
	must(t, p.Type("nasty"))
	must(t, p.Wait(`!document.getElementById("found").hidden`))
	must(t, p.Wait(`document.getElementById("query").value === "nasty"`))
	if found := evaluate[string](t, p, `document.querySelector("#found [aria-selected=true]").innerText`); !strings.Contains(found, "<img src=x onerror=alert(1)> Nasty") {
		t.Errorf("the first result of the search is %q", found)
	}
	must(t, p.Type("\r"))
	must(t, p.Wait(`document.querySelector("#panel h2").innerText.includes("Nasty")`))
	card := evaluate[string](t, p, panelText)
	for _, want := range []string{"RELATIONSHIPS", "IN THE DOCUMENTS", "<iframe", "Whole map"} {
		if !strings.Contains(card, want) {
			t.Errorf("the card has no %q: %.400s", want, card)
		}
	}
	if shown := evaluate[bool](t, p, `app.scene.items.some((it) => it.of === app.scene.chosen)`); !shown {
		t.Error("the entity is not on the map")
	}

	must(t, p.Type("\x1b")) // back to the whole map, then click on a closed community
	evaluate[bool](t, p, `(() => { app.scene.openTo(0); app.choose(null); return true })()`)
	must(t, p.Wait(settled))
	at := evaluate[[]float64](t, p, `(() => { const c = app.graph.roots[0], r = app.map.getBoundingClientRect(), [x, y] = app.camera.toView(c.x, c.y); return [x + r.left, y + r.top] })()`)
	must(t, p.Click(at[0], at[1]))
	must(t, p.Wait(`app.scene.chosen === app.graph.roots[0]`))
	report := evaluate[string](t, p, panelText)
	for _, want := range []string{"FINDINGS", "EVIDENCE", "ENTITIES", `<a href="https://example.org/">`} {
		if !strings.Contains(report, want) {
			t.Errorf("the report has no %q: %.400s", want, report)
		}
	}
	if quotes := evaluate[int](t, p, `document.querySelectorAll("#panel ol.cited blockquote").length`); quotes < 5 {
		t.Errorf("the report cites %d quotes, want 5 at least", quotes)
	}
	evaluate[bool](t, p, `(() => { document.querySelector("#panel sup button").click(); return true })()`)
	if lit := evaluate[int](t, p, `document.querySelectorAll("#panel li.lit").length`); lit != 1 {
		t.Errorf("%d references are highlighted, want 1", lit)
	}
	if open := evaluate[int](t, p, `app.scene.grounds.length`); open != 1 {
		t.Errorf("%d communities are open, want 1", open)
	}
	evaluate[bool](t, p, `(() => { document.getElementById("theme").click(); return true })()`)
	if theme := evaluate[string](t, p, `document.documentElement.dataset.theme`); theme != "dark" {
		t.Errorf("the theme is %q", theme)
	}

	if markup := evaluate[int](t, p, `document.querySelectorAll("img, iframe, a, #panel script").length`); markup != 0 {
		t.Errorf("texts became %d elements", markup)
	}
	if requests := p.Requests(); len(requests) > 0 {
		t.Errorf("the page requested %v", requests)
	}
	if problems := p.Problems(); len(problems) > 0 {
		t.Errorf("errors on the console: %v", problems)
	}
	if blocked := evaluate[string](t, p, `fetch("https://example.org/").then(() => "reached", () => "blocked")`); blocked != "blocked" {
		t.Error("the content security policy allows a request")
	}
}

// TestMapWithoutWebGL checks that the map is drawn on a canvas if there is no WebGL 2.
func TestMapWithoutWebGL(t *testing.T) {
	t.Parallel()
	p := openMap(t, pagetest.Source(60))
	painter := evaluate[string](t, p, `(() => {
  HTMLCanvasElement.prototype.getContext = ((own) => function (kind, o) { return kind === "webgl2" ? null : own.call(this, kind, o) })(HTMLCanvasElement.prototype.getContext);
  const fresh = app.map.cloneNode(); app.map.replaceWith(fresh);
  window.app = new App(app.graph);
  app.frame(performance.now());
  return app.painter.name })()`)
	drawn := evaluate[int](t, p, `(() => { app.frame(performance.now()); const p = app.map.getContext("2d").getImageData(0, 0, app.map.width, app.map.height).data; let n = 0; for (let i = 3; i < p.length; i += 4) if (p[i] > 200) n++; return n })()`)
	if painter != "canvas" || drawn < 5000 {
		t.Errorf("%s drew %d pixels", painter, drawn)
	}
	if problems := p.Problems(); len(problems) > 0 {
		t.Errorf("errors on the console: %v", problems)
	}
}
