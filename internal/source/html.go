package source

import (
	"cmp"
	"fmt"
	"strings"
	"sync"

	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/base"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/commonmark"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/table"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/neorag/neorag/internal/graph"
)

var _ = register(format{
	mime:       "text/html",
	extensions: []string{".html", ".htm", ".xhtml"},
	read:       readHTML,
})

// toMarkdown keeps the structure that chunks are cut by: headings, lists and
// tables. Nothing is escaped: the text is read, not rendered.
var toMarkdown = sync.OnceValue(func() *converter.Converter {
	return converter.NewConverter(
		converter.WithEscapeMode(converter.EscapeModeDisabled),
		converter.WithPlugins(base.NewBasePlugin(), commonmark.NewCommonmarkPlugin(), table.NewTablePlugin()),
	)
})

// readHTML makes Markdown of a page. The parser refuses elements nested deeper
// than 512, so that no page exhausts the stack.
func readHTML(raw []byte, doc graph.Document) ([]graph.Document, error) {
	text, err := decodeHTML(raw)
	if err != nil {
		return nil, err
	}
	root, err := html.Parse(strings.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("parse HTML: %w", err)
	}
	title := pageTitle(root)
	strip(root)
	markdown, err := toMarkdown().ConvertNode(root)
	if err != nil {
		return nil, fmt.Errorf("turn HTML into text: %w", err)
	}
	doc.Text = clean(string(markdown))
	doc.Title = cmp.Or(title, doc.Title)
	doc.Date = date(doc.Date, doc.Text)
	return []graph.Document{doc}, nil
}

// pageTitle is the text of the title element of a page, not of a picture in it.
func pageTitle(root *html.Node) string {
	for n := range root.Descendants() {
		if n.DataAtom == atom.Title && n.Namespace == "" && n.FirstChild != nil {
			return strings.Join(strings.Fields(clean(n.FirstChild.Data)), " ")
		}
	}
	return ""
}

// strip takes out what is not text: programs, styles, forms, pictures but for
// their descriptions, and the addresses of links, which would become tokens and
// names.
func strip(root *html.Node) {
	var remove []*html.Node
	for n := range root.Descendants() {
		switch {
		case n.Type != html.ElementNode:
		case n.DataAtom == atom.Script, n.DataAtom == atom.Style, n.DataAtom == atom.Template, n.DataAtom == atom.Svg,
			n.DataAtom == atom.Select, n.DataAtom == atom.Button, n.DataAtom == atom.Object, n.DataAtom == atom.Canvas:
			remove = append(remove, n)
		case n.DataAtom == atom.Img:
			n.Type, n.DataAtom, n.Data, n.Attr = html.TextNode, 0, attribute(n, "alt"), nil
		case n.DataAtom == atom.A:
			n.DataAtom, n.Data, n.Attr = atom.Span, "span", nil
		case n.DataAtom == atom.Td, n.DataAtom == atom.Th:
			n.Attr = nil // a span of a million columns would be written out
		}
	}
	for _, n := range remove {
		if n.Parent != nil {
			n.Parent.RemoveChild(n)
		}
	}
}

func attribute(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}
