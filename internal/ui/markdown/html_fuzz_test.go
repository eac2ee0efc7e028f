package markdown

import (
	"strings"
	"testing"
)

// FuzzHTML checks that whatever a document or model writes, the page has only tags that
// this package writes, and no address but those of references.
func FuzzHTML(f *testing.F) {
	for _, s := range []string{"<script>x</script>", "[a](javascript:x)", "![x](http://x)", "a [1] b", "<http://x>", "`<b>`", "| a |\n|---|\n| <b> |", "&lt;b&gt; &#8238;", "1) a\n2) b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := HTML(text, 2, address)
		for i := strings.IndexByte(got, '<'); i >= 0 && i < len(got); i++ {
			if got[i] == '<' && !tag.MatchString(got[i:]) {
				t.Fatalf("%q: an unknown tag: %s", text, got[i:])
			}
		}
		for rest := got; ; {
			_, after, found := strings.Cut(rest, ` href="`)
			if !found {
				break
			}
			to, end, _ := strings.Cut(after, `"`)
			if !strings.HasPrefix(to, "../entities/") {
				t.Fatalf("%q links to %q", text, to)
			}
			rest = end
		}
		Terminal(got, 80)
	})
}
