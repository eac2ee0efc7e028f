package source

import (
	"strings"
	"testing"
)

func TestMainContent(t *testing.T) {
	t.Parallel()
	prose := strings.Repeat("<p>The ship leaves the harbour of Kiel at noon, with forty passengers and their bicycles on board.</p>", 12)
	const menu = `<ul><li><a href=/a>Home page</a></li><li><a href=/b>Products</a></li><li><a href=/c>Contact us</a></li></ul>`
	for _, tc := range []struct {
		name, page    string
		kept, dropped []string
	}{
		{"menus around the main element", "<nav>" + menu + "</nav><main><h1>Ships</h1>" + prose + "<aside>A note.</aside></main><div>Related: <a href=/x>More</a></div><footer>Imprint 2024</footer>", []string{"Ships", "noon", "A note."}, []string{"Products", "Related", "Imprint"}},
		{"menus by their names, without a main element", "<div class='top navbar'>" + menu + "</div><div id=content>" + prose + "</div><div id=footer>Copyright by Anna</div>", []string{"noon"}, []string{"Products", "Copyright"}},
		{"a main heading in a menu", "<header role=banner><h1>Ships</h1>" + menu + "</header>" + prose, []string{"# Ships"}, nil},
		{"links to the pages before and after", "<div><a rel=prev href=/1>Earlier</a> <a rel=next href=/2>Later</a></div>" + prose, []string{"noon"}, []string{"Earlier", "Later"}},
		{"a cookie banner", "<div class='cookie-banner'>We use cookies. <button>Accept</button></div>" + prose, []string{"noon"}, []string{"cookies"}},
		{"a list of links is the content", "<h1>Index</h1>" + menu, []string{"Products"}, nil},
		{"a table with the name of a pager", prose + "<table class=pager-1><tr><td><a href=/1>One</a><td><a href=/2>Two</a><td><a href=/3>Three</a></table>", []string{"Three"}, nil},
		{"the source of a quotation", "<article>" + prose + "<blockquote><p>Words.</p><footer>Clara Hale</footer></blockquote></article>", []string{"Clara Hale"}, nil},
		{"a menu that holds most of the text", "<nav>" + prose + "</nav><p>Short.</p>", []string{"noon"}, nil},
		{"a panel that a dropped menu opens", "<nav><a href='#p'>Open the panel</a><a href=/b>B</a></nav><main>" + prose + "<div id=p hidden>Inside.</div></main>", []string{"Inside."}, []string{"Open the panel"}},
	} {
		page := "<html><body>" + tc.page + "</body></html>"
		doc, err := read(t, "a.html", page)
		if err != nil {
			t.Fatal(err)
		}
		whole, _, err := Read(t.Context(), File{URI: "a.html", Content: []byte(page)}, Options{WholePages: true})
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range tc.kept {
			if !strings.Contains(doc.Text, want) {
				t.Errorf("%s: %q is lost:\n%.400s", tc.name, want, doc.Text)
			}
		}
		for _, want := range tc.dropped {
			if strings.Contains(doc.Text, want) || !strings.Contains(whole[0].Text, want) {
				t.Errorf("%s: %q is kept, or is not in the whole page:\n%.400s", tc.name, want, doc.Text)
			}
		}
	}
	if (Options{WholePages: true}).Fingerprint() == (Options{}).Fingerprint() {
		t.Error("the fingerprint does not depend on what is read of a page")
	}
}
