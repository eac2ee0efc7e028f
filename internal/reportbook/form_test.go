package reportbook

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// TestFileName: names are safe, say what they are of, and differ where keys do,
// also where file systems know no letter case.
func TestFileName(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ key, begins string }{
		{"main/scrooge", "scrooge-"},
		{"main/../../etc/passwd", "etc-passwd-"},
		{"main/日本", ""},
		{"main/CON", "con-"},
		{"main/" + strings.Repeat("long ", 50), "long-long-"},
		{"main/a\x00b\nc", "a-b-c-"},
	} {
		got := fileName(tt.key)
		if !strings.HasPrefix(got, tt.begins) || len(got) > slugLetters+9 || strings.Trim(got, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" || strings.HasPrefix(got, "-") {
			t.Errorf("%q: got %q", tt.key, got)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.String().Draw(t, "a"), rapid.String().Draw(t, "b")
		if a != b && strings.EqualFold(fileName("c/"+a), fileName("c/"+b)) {
			t.Fatalf("%q and %q have one file", a, b)
		}
	})
	for label, want := range map[string]string{"C0_3": "C0_3", "grün0_1": "", "": ""} {
		if got := labelFile(label); want != "" && got != want || got == "" || got == label && want == "" {
			t.Errorf("%q: got %q", label, got)
		}
	}
}

// TestForms shows a hostile sheet in both forms.
func TestForms(t *testing.T) {
	t.Parallel()
	s := sheet{
		Title: "A <b> [x](y) \x1b[31m*t*", Up: []link{{Text: "Contents", To: "../index.md"}}, Body: "One <script> [1] and [2] **b** [l](javascript:x).",
		Href:  func(n int) string { return map[int]string{1: "../chunks/a.md"}[n] },
		Facts: []string{"bytes 1 to 2 <i>"}, Quote: "# not a heading\n<script>\n\n- no item",
		Sections: []section{{Title: "Refs", Links: []link{{Before: "[1] chunk:", Text: "a | <b>\nc", To: "../chunks/a.md"}, {Text: "none", Depth: 1}}}},
	}
	got, err := markdownPage(s)
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
	page, err := htmlPage(s)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"<title>A &lt;b&gt; [x](y) [31m*t*</title>", `<a href="../chunks/a.md">[1]</a>`, "One &lt;script&gt;", "l (javascript:x)", `<a href="../chunks/a.md">a | &lt;b&gt;`,
		"<blockquote># not a heading\n&lt;script&gt;",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("%s is not in\n%s", want, page)
		}
	}
}
