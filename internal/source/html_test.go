package source

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestReadHTML(t *testing.T) {
	t.Parallel()
	page := `<!doctype html><html><head><title> A
 page &amp; more</title><style>p{}</style></head><body><script>var x</script>
<h1>Head</h1><p>One <a href="https://example.com/long">link</a>_and*text* 1 &lt; 2. <img src="data:x" alt="a picture"><svg><title>no</title><text>no</text></svg></p>
<ul><li>first<li>second</ul><table><tr><th>k<th>v<tr><td colspan=99999999>a<td>b</table><button>no</button></body></html>`
	doc, err := read(t, "p.html", page)
	if err != nil {
		t.Fatal(err)
	}
	want := "# Head\n\nOne link_and*text* 1 < 2. a picture\n\n- first\n- second\n\n| k | v |\n|---|---|\n| a | b |"
	if doc.Title != "A page & more" || doc.MIME != "text/html" || doc.Text != want {
		t.Errorf("title %q, MIME %s, text (-want +got):\n%s", doc.Title, doc.MIME, cmp.Diff(want, doc.Text))
	}
}

func TestLayoutTablesBecomeBlocks(t *testing.T) {
	t.Parallel()
	doc, err := read(t, "a.html", "<table><tr><td>menu<td><table><tr><th>k<th>v<tr><td>a<td>b</table></table>")
	if want := "menu\n\n| k | v |\n|---|---|\n| a | b |"; err != nil || doc.Text != want {
		t.Errorf("text is %q, %v, want %q", doc.Text, err, want)
	}
}

func TestLargeHTML(t *testing.T) {
	t.Parallel()
	if _, err := read(t, "deep.html", strings.Repeat("<div>", 1_000_000)); err == nil || !strings.Contains(err.Error(), "read deep.html: parse HTML") {
		t.Errorf("a page a million elements deep: got error %v, want one that names the page", err)
	}
	doc, err := read(t, "ragged.html", "<table><tr>"+strings.Repeat("<td>x", 3000)+strings.Repeat("<tr><td>x", 3000)+"</table>")
	if err != nil || strings.Count(doc.Text, "x") != 6000 || len(doc.Text) > 100_000 {
		t.Errorf("a table with one long row: %d bytes, %v", len(doc.Text), err)
	}
	doc, err = read(t, "wide.html", strings.Repeat("<p>word", 20_000))
	if err != nil || strings.Count(doc.Text, "word") != 20_000 {
		t.Errorf("20,000 unclosed paragraphs: %d words, %v", strings.Count(doc.Text, "word"), err)
	}
	if doc, err := read(t, "lists.html", strings.Repeat("<ul><li>word", 200)); err != nil || strings.Count(doc.Text, "word") != 200 {
		t.Errorf("lists nested 200 levels: %d words, %v", strings.Count(doc.Text, "word"), err)
	}
}

// With a quadratic step each of these would take a minute.
func TestNestedHTML(t *testing.T) {
	for _, element := range []string{"<blockquote>", "<ul><li>", "<table><tr><td>", "<b><p>", "<pre>", "<em><h1>", "<div><h1>"} {
		doc, err := read(t, "a.html", strings.Repeat(element, 120)+strings.Repeat("word <br>", 10_000))
		if err != nil || strings.Count(doc.Text, "word") < 10_000 {
			t.Errorf("%s nested 120 levels: %d words, %v", element, strings.Count(doc.Text, "word"), err)
		}
	}
}
