package reportbook

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestRenderHostileText renders a page of hostile texts in both formats.
func TestRenderHostileText(t *testing.T) {
	t.Parallel()
	p := page{
		Title: "A <b> [x](y) \x1b[31m*t*", Up: []link{{Text: "Contents", To: "../index.md"}}, Body: "One <script> [1] and [2] **b** [l](javascript:x).",
		Href:  func(n int) string { return map[int]string{1: "../chunks/a.md"}[n] },
		Facts: []string{"bytes 1 to 2 <i>"}, Quote: "# not a heading\n<script>\n\n- no item",
		Sections: []section{{Title: "Refs", Links: []link{{Before: "[1] chunk:", Text: "a | <b>\nc", To: "../chunks/a.md", Below: []link{{Text: "none"}}}}}},
	}
	got, err := renderMarkdown(p)
	want := `[Contents](../index.md)

# A \<b\> \[x\](y) \[31m\*t\*

One \<script\> [\[1\]](../chunks/a.md) and \[2\] **b** l (javascript:x).

bytes 1 to 2 \<i\>

> \# not a heading
> \<script\>
>
> \- no item

## Refs

- \[1\] chunk: [a \| \<b\> c](../chunks/a.md)
    - none
`
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	html, err := renderHTML(p)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"<title>A &lt;b&gt; [x](y) [31m*t*</title>", `<a href="../chunks/a.md">[1]</a>`, "One &lt;script&gt;", "l (javascript:x)", `<a href="../chunks/a.md">a | &lt;b&gt;`,
		"<blockquote># not a heading\n&lt;script&gt;",
	} {
		if !strings.Contains(html, want) {
			t.Errorf("%s is missing in\n%s", want, html)
		}
	}
}
