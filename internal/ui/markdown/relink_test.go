package markdown

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
	"pgregory.net/rapid"
)

// TestRelinkKeepsMeaning checks that the Markdown that Relink writes is read as the
// text that it was made from.
func TestRelinkKeepsMeaning(t *testing.T) {
	t.Parallel()
	none := func(int) string { return "" }
	for _, text := range []string{
		sample(t), "# not\\# [7] and \\[8\\]", "1\\. no item", "- a\n    - b\n\n      more", "**a `b` c** _d_", "a < b & c > d | e", "> q  \n> r", "> q\n>\n> - r\n>\n>       code",
		"| a | `b\\|c` |\n|--|--|\n| d \\| e |", "+ - 2) a\n\n      b", "[a *b*](<c d> \"e\")",
	} {
		if diff := cmp.Diff(HTML(text, 0, none), HTML(Relink(text, 0, none), 0, none)); diff != "" {
			t.Errorf("%q (-as it is +relinked):\n%s", text, diff)
		}
	}
}

// TestRelinkIsHarmless checks that a reader of all of GitHub's Markdown finds no HTML,
// and no link but those of references, in what Relink writes.
func TestRelinkIsHarmless(t *testing.T) {
	t.Parallel()
	github := goldmark.New(goldmark.WithExtensions(extension.GFM, extension.Footnote, extension.DefinitionList))
	rapid.Check(t, func(t *rapid.T) {
		relinked := Relink(texts().Draw(t, "text"), 0, func(n int) string { return "reference.html" })
		doc := github.Parser().Parse(text.NewReader([]byte(relinked)))
		_ = ast.Walk(doc, func(n ast.Node, _ bool) (ast.WalkStatus, error) { // the function returns no error
			link, isLink := n.(*ast.Link)
			switch {
			case isLink && string(link.Destination) == "reference.html":
			case isLink, slices.Contains([]ast.NodeKind{ast.KindRawHTML, ast.KindHTMLBlock, ast.KindImage}, n.Kind()):
				t.Fatalf("%s in %q", n.Kind(), relinked)
			}
			return ast.WalkContinue, nil
		})
	})
}
