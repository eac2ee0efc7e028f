package markdown

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// TestHTMLOfHostileText checks that nothing in a text becomes HTML, a link or a
// character that was removed.
func TestHTMLOfHostileText(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"<script>alert(1)</script>":                      "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>\n",
		"<div>\n<img src=x onerror=y>\n</div>":           "<p>&lt;div&gt; &lt;img src=x onerror=y&gt; &lt;/div&gt;</p>\n",
		"<!-- a":                                         "<p>&lt;!-- a</p>\n",
		"[a](javascript:b)":                              "<p>a (javascript:b)</p>\n",
		"![a](http://b.c/d.png \"e\\\"<f>\")":            "<p>a (http://b.c/d.png e&#34;&lt;f&gt;)</p>\n",
		"<http://a.b>":                                   "<p>&lt;http://a.b&gt;</p>\n",
		"[a]\n\n[a]: http://b":                           "<p>[a]</p>\n<p>[a]: http://b</p>\n",
		"&lt;b&gt; &#x202e; &#0;":                        "<p>&amp;lt;b&amp;gt; &amp;#x202e; &amp;#0;</p>\n",
		"`<b>`":                                          "<p><code>&lt;b&gt;</code></p>\n",
		"```x\" onclick=\"y\n<b>\n```":                   "<pre><code>&lt;b&gt;\n</code></pre>\n",
		"# a {#b onclick=c}":                             "<h1>a {#b onclick=c}</h1>\n",
		"[1](http://a.b) [2][3] \\[4] [0] [1234567]":     `<p><a href="../entities/1.html?a&amp;b">[1]</a>(http://a.b) <a href="../entities/2.html?a&amp;b">[2]</a>[3] [4] [0] [1234567]</p>` + "\n",
		"| a | b |\n|---|---|\n| c | `d|e` | f |":        "<p>| a | b | |---|---| | c | <code>d|e</code> | f |</p>\n",
		"| <b> | [x](y) |\n|---|---|\n| a\\|b | `\\|` |": "<table>\n<tr>\n<th>&lt;b&gt;</th>\n<th>x (y)</th>\n</tr>\n<tr>\n<td>a|b</td>\n<td><code>|</code></td>\n</tr>\n</table>\n",
	} {
		if diff := cmp.Diff(want, HTML(text, 0, address)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}

var tag = regexp.MustCompile(`^</?(?:p|h[1-6]|ul|ol|li(?: value="\d+")?|pre|code|em|strong|blockquote|br|hr|table|tr|th|td|a(?: href="[^"<>]*")?)>`)

// TestHTMLHasOnlyKnownTags checks that whatever the text, only tags that this package
// writes appear, and each is closed.
func TestHTMLHasOnlyKnownTags(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := texts().Draw(t, "text")
		got := HTML(text, 2, address)
		for i := strings.IndexByte(got, '<'); i >= 0 && i < len(got); i++ {
			if got[i] == '<' && !tag.MatchString(got[i:]) {
				t.Fatalf("%q: an unknown tag: %s", text, got[i:])
			}
		}
		for _, name := range []string{"p", "ul", "ol", "li", "a", "code", "em", "strong", "blockquote", "table", "tr", "th", "td"} {
			open := len(regexp.MustCompile(`<`+name+`[ >]`).FindAllString(got, -1))
			if ends := strings.Count(got, "</"+name+">"); open != ends {
				t.Fatalf("%q: %d <%s> and %d ends in %s", text, open, name, ends, got)
			}
		}
	})
}
