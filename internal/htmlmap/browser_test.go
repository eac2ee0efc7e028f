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

// open opens the page of a source in Chromium, from a file.
func open(t *testing.T, s htmlmap.Source) *pagetest.Browser {
	t.Helper()
	path := filepath.Join(t.TempDir(), "map of #1.html")
	if err := os.WriteFile(path, []byte(page(t, s)), 0o600); err != nil {
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

func evaluate[T any](t *testing.T, b *pagetest.Browser, expression string) T {
	t.Helper()
	v, err := pagetest.Evaluate[T](b, expression)
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

// TestPageInBrowser checks that the page opens from a file, that search and clicks show
// entities and reports, and that it makes no request.
func TestPageInBrowser(t *testing.T) {
	t.Parallel()
	source := hostile()
	b := open(t, source)
	if painter := evaluate[string](t, b, "app.painter.name"); painter != "WebGL" {
		t.Errorf("the map is drawn by %s", painter)
	}
	if drawn := evaluate[int](t, b, `(() => { app.frame(performance.now()); const gl = app.painter.gl, w = app.map.width, h = app.map.height, p = new Uint8Array(w * h * 4);
gl.readPixels(0, 0, w, h, gl.RGBA, gl.UNSIGNED_BYTE, p); let n = 0; for (let i = 3; i < p.length; i += 4) if (p[i] > 200) n++; return n })()`); drawn < 5000 {
		t.Errorf("got %d drawn pixels, want at least 5000", drawn)
	}
	overview := evaluate[string](t, b, panelText)
	if !strings.Contains(overview, "60 entities") || !strings.Contains(overview, script) {
		t.Errorf("the overview is: %.300s", overview)
	}

	must(t, b.Type("/"))
	// Chromium sends a letter with the key; with a keyboard the page prevents it.
	if at := evaluate[string](t, b, `(() => { document.getElementById("query").value = ""; return document.activeElement.id })()`); at != "query" {
		t.Errorf("the slash focuses %q, want query", at)
	}
	must(t, b.Type("nasty"))
	must(t, b.Wait(`!document.getElementById("found").hidden`))
	must(t, b.Wait(`document.getElementById("query").value === "nasty"`))
	if found := evaluate[string](t, b, `document.querySelector("#found [aria-selected=true]").innerText`); !strings.Contains(found, "<img src=x onerror=alert(1)> Nasty") {
		t.Errorf("the search finds %q", found)
	}
	must(t, b.Type("\r"))
	must(t, b.Wait(`document.querySelector("#panel h2").innerText.includes("Nasty")`))
	card := evaluate[string](t, b, panelText)
	for _, want := range []string{"RELATIONSHIPS", "IN THE DOCUMENTS", "<iframe", "Whole map"} {
		if !strings.Contains(card, want) {
			t.Errorf("the entity view lacks %q: %.400s", want, card)
		}
	}
	if shown := evaluate[bool](t, b, `app.scene.items.some((it) => it.of === app.scene.chosen)`); !shown {
		t.Error("the entity is not on the map")
	}

	must(t, b.Type("\x1b")) // back to the whole map, then a click on a closed community
	evaluate[bool](t, b, `(() => { app.scene.openTo(0); app.choose(null); return true })()`)
	must(t, b.Wait(settled))
	at := evaluate[[]float64](t, b, `(() => { const c = app.graph.roots[0], r = app.map.getBoundingClientRect(), [x, y] = app.camera.toView(c.x, c.y); return [x + r.left, y + r.top] })()`)
	must(t, b.Click(at[0], at[1]))
	must(t, b.Wait(`app.scene.chosen === app.graph.roots[0]`))
	report := evaluate[string](t, b, panelText)
	for _, want := range []string{"FINDINGS", "EVIDENCE", "ENTITIES", `<a href="https://example.org/">`} {
		if !strings.Contains(report, want) {
			t.Errorf("the report view lacks %q: %.400s", want, report)
		}
	}
	if quotes := evaluate[int](t, b, `document.querySelectorAll("#panel ol.cited blockquote").length`); quotes < 5 {
		t.Errorf("the report has %d quotes, want at least 5", quotes)
	}
	evaluate[bool](t, b, `(() => { document.querySelector("#panel sup button").click(); return true })()`)
	if lit := evaluate[int](t, b, `document.querySelectorAll("#panel li.lit").length`); lit != 1 {
		t.Errorf("%d references are highlighted, want 1", lit)
	}
	if open := evaluate[int](t, b, `app.scene.grounds.length`); open != 1 {
		t.Errorf("%d communities are open, want 1", open)
	}
	evaluate[bool](t, b, `(() => { document.getElementById("theme").click(); return true })()`)
	if theme := evaluate[string](t, b, `document.documentElement.dataset.theme`); theme != "dark" {
		t.Errorf("the theme is %q", theme)
	}

	if markup := evaluate[int](t, b, `document.querySelectorAll("img, iframe, a, #panel script").length`); markup != 0 {
		t.Errorf("%d elements were created from texts", markup)
	}
	if blocked := evaluate[string](t, b, `fetch("https://example.org/").then(() => "reached", () => "blocked")`); blocked != "blocked" {
		t.Error("the policy allows network access")
	}
	if asked := b.Requests(); len(asked) > 0 {
		t.Errorf("the page requested %v", asked)
	}
	if problems := b.Problems(); len(problems) > 0 {
		t.Errorf("errors on the console: %v", problems)
	}
}

// TestPageWithoutWebGL checks that without WebGL the map is drawn on a 2D canvas.
func TestPageWithoutWebGL(t *testing.T) {
	t.Parallel()
	b := open(t, pagetest.Source(60))
	painter := evaluate[string](t, b, `(() => {
  HTMLCanvasElement.prototype.getContext = ((own) => function (kind, o) { return kind === "webgl2" ? null : own.call(this, kind, o) })(HTMLCanvasElement.prototype.getContext);
  const fresh = app.map.cloneNode(); app.map.replaceWith(fresh);
  window.app = new App(app.graph);
  app.frame(performance.now());
  return app.painter.name })()`)
	drawn := evaluate[int](t, b, `(() => { app.frame(performance.now()); const p = app.map.getContext("2d").getImageData(0, 0, app.map.width, app.map.height).data; let n = 0; for (let i = 3; i < p.length; i += 4) if (p[i] > 200) n++; return n })()`)
	if painter != "canvas" || drawn < 5000 {
		t.Errorf("%s drew %d pixels", painter, drawn)
	}
	if problems := b.Problems(); len(problems) > 0 {
		t.Errorf("errors on the console: %v", problems)
	}
}
