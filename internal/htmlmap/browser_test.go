package htmlmap_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/htmlmap"
	"github.com/neorag/neorag/internal/htmlmap/pagetest"
	"github.com/neorag/neorag/internal/testcorpora"
)

// opened shows the page of a source in Chromium, from a file.
func opened(t *testing.T, s htmlmap.Source) *pagetest.Browser {
	t.Helper()
	path := filepath.Join(t.TempDir(), "map of #1.html")
	if err := os.WriteFile(path, []byte(made(t, s)), 0o600); err != nil {
		t.Fatal(err)
	}
	b, err := pagetest.Open(t.Context(), path, 1200, 800)
	if errors.Is(err, pagetest.ErrNoBrowser) {
		testcorpora.Missing(t, "chromium", err.Error())
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	return b
}

func ask[T any](t *testing.T, b *pagetest.Browser, expression string) T {
	t.Helper()
	v, err := pagetest.Ask[T](b, expression)
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

// settled is true when nothing on the map moves any more.
const settled = `!app.camera.flight && performance.now() - app.begun > 500`

// The page opens from a file, search and clicks show cards and reports, and
// nothing is asked of a network.
func TestPageInBrowser(t *testing.T) {
	t.Parallel()
	source := nasty()
	b := opened(t, source)
	if painter := ask[string](t, b, "app.painter.name"); painter != "WebGL" {
		t.Errorf("the map is drawn by %s", painter)
	}
	if drawn := ask[int](t, b, `(() => { app.frame(performance.now()); const gl = app.painter.gl, w = app.map.width, h = app.map.height, p = new Uint8Array(w * h * 4);
gl.readPixels(0, 0, w, h, gl.RGBA, gl.UNSIGNED_BYTE, p); let n = 0; for (let i = 3; i < p.length; i += 4) if (p[i] > 200) n++; return n })()`); drawn < 5000 {
		t.Errorf("%d pixels are drawn", drawn)
	}
	overview := ask[string](t, b, panelText)
	if !strings.Contains(overview, "60 entities") || !strings.Contains(overview, script) {
		t.Errorf("the overview says: %.300s", overview)
	}

	must(t, b.Type("/"))
	// A key of the protocol is a key and a letter; of a keyboard, the page keeps the letter back.
	if at := ask[string](t, b, `(() => { document.getElementById("query").value = ""; return document.activeElement.id })()`); at != "query" {
		t.Errorf("the slash goes to %q", at)
	}
	must(t, b.Type("nasty"))
	must(t, b.Wait(`!document.getElementById("found").hidden`))
	must(t, b.Wait(`document.getElementById("query").value === "nasty"`))
	if found := ask[string](t, b, `document.querySelector("#found [aria-selected=true]").innerText`); !strings.Contains(found, "<img src=x onerror=alert(1)> Nasty") {
		t.Errorf("the search finds %q", found)
	}
	must(t, b.Type("\r"))
	must(t, b.Wait(`document.querySelector("#panel h2").innerText.includes("Nasty")`))
	card := ask[string](t, b, panelText)
	for _, want := range []string{"RELATIONSHIPS", "IN THE DOCUMENTS", "<iframe", "Whole map"} {
		if !strings.Contains(card, want) {
			t.Errorf("the card has no %q: %.400s", want, card)
		}
	}
	if shown := ask[bool](t, b, `app.scene.items.some((it) => it.of === app.scene.chosen)`); !shown {
		t.Error("the entity is not on the map")
	}

	must(t, b.Type("\x1b")) // back to the whole, then a click on a closed community
	ask[bool](t, b, `(() => { app.scene.openTo(0); app.choose(null); return true })()`)
	must(t, b.Wait(settled))
	at := ask[[]float64](t, b, `(() => { const c = app.graph.roots[0], r = app.map.getBoundingClientRect(), [x, y] = app.camera.toView(c.x, c.y); return [x + r.left, y + r.top] })()`)
	must(t, b.Click(at[0], at[1]))
	must(t, b.Wait(`app.scene.chosen === app.graph.roots[0]`))
	report := ask[string](t, b, panelText)
	for _, want := range []string{"FINDINGS", "EVIDENCE", "ENTITIES", `<a href="https://example.org/">`} {
		if !strings.Contains(report, want) {
			t.Errorf("the report has no %q: %.400s", want, report)
		}
	}
	if quotes := ask[int](t, b, `document.querySelectorAll("#panel ol.cited blockquote").length`); quotes < 5 {
		t.Errorf("%d quotes stand behind the report", quotes)
	}
	ask[bool](t, b, `(() => { document.querySelector("#panel sup button").click(); return true })()`)
	if lit := ask[int](t, b, `document.querySelectorAll("#panel li.lit").length`); lit != 1 {
		t.Errorf("%d references are lit", lit)
	}
	if open := ask[int](t, b, `app.scene.grounds.length`); open != 1 {
		t.Errorf("%d communities are open", open)
	}
	ask[bool](t, b, `(() => { document.getElementById("theme").click(); return true })()`)
	if theme := ask[string](t, b, `document.documentElement.dataset.theme`); theme != "dark" {
		t.Errorf("the theme is %q", theme)
	}

	if markup := ask[int](t, b, `document.querySelectorAll("img, iframe, a, #panel script").length`); markup != 0 {
		t.Errorf("%d elements came out of texts", markup)
	}
	if blocked := ask[string](t, b, `fetch("https://example.org/").then(() => "reached", () => "blocked")`); blocked != "blocked" {
		t.Error("the policy lets the page reach a network")
	}
	if asked := b.Requests(); len(asked) > 0 {
		t.Errorf("the page asked for %v", asked)
	}
	if problems := b.Problems(); len(problems) > 0 {
		t.Errorf("on the console: %v", problems)
	}
}

// Without WebGL the map is drawn on a canvas.
func TestPageWithoutWebGL(t *testing.T) {
	t.Parallel()
	b := opened(t, pagetest.Source(60))
	painter := ask[string](t, b, `(() => {
  HTMLCanvasElement.prototype.getContext = ((own) => function (kind, o) { return kind === "webgl2" ? null : own.call(this, kind, o) })(HTMLCanvasElement.prototype.getContext);
  const fresh = app.map.cloneNode(); app.map.replaceWith(fresh);
  window.app = new App(app.graph);
  app.frame(performance.now());
  return app.painter.name })()`)
	drawn := ask[int](t, b, `(() => { app.frame(performance.now()); const p = app.map.getContext("2d").getImageData(0, 0, app.map.width, app.map.height).data; let n = 0; for (let i = 3; i < p.length; i += 4) if (p[i] > 200) n++; return n })()`)
	if painter != "canvas" || drawn < 5000 {
		t.Errorf("%s drew %d pixels", painter, drawn)
	}
	if problems := b.Problems(); len(problems) > 0 {
		t.Errorf("on the console: %v", problems)
	}
}
