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

// maxNesting is how deep lists, quotes and the like may be nested: each level
// costs time for all of the text in it.
const maxNesting = 16

// toMarkdown keeps the structure that chunks are cut by: headings, lists and
// tables. Nothing is escaped: the text is read, not rendered.
var toMarkdown = sync.OnceValue(func() *converter.Converter {
	c := converter.NewConverter(
		converter.WithEscapeMode(converter.EscapeModeDisabled),
		converter.WithPlugins(base.NewBasePlugin(), commonmark.NewCommonmarkPlugin(), table.NewTablePlugin(
			table.WithCellPaddingBehavior(table.CellPaddingBehaviorMinimal), // blanks are tokens
			table.WithHeaderPromotion(true),
			table.WithSkipEmptyRows(true),
		)),
	)
	// The base plugin makes entities of angle brackets even so: it is shown others.
	hide, show := strings.NewReplacer("<", "\ue0f1", ">", "\ue0f2"), strings.NewReplacer("\ue0f1", "<", "\ue0f2", ">")
	c.Register.TextTransformer(func(_ converter.Context, s string) string { return hide.Replace(s) }, converter.PriorityEarly)
	c.Register.TextTransformer(func(_ converter.Context, s string) string { return show.Replace(s) }, converter.PriorityLate)
	return c
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
	strip(root, 0)
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
// names. Elements inside too many others become plain ones, and so does a table
// around tables, which only lays out the page. It tells whether a table is in n.
func strip(n *html.Node, nesting int) (tables bool) {
	for child := n.FirstChild; child != nil; {
		next := child.NextSibling
		if child.Type == html.ElementNode && !stripElement(child, nesting) {
			n.RemoveChild(child)
		} else {
			below := nesting
			if nests(child) {
				below++
			}
			inner := strip(child, below)
			if child.DataAtom == atom.Table && (inner || ragged(child)) {
				flattenTable(child)
			}
			tables = tables || inner || child.DataAtom == atom.Table
		}
		child = next
	}
	return tables
}

// stripElement is false for an element that goes with all that is in it.
func stripElement(n *html.Node, nesting int) bool {
	switch n.DataAtom {
	case atom.Script, atom.Style, atom.Template, atom.Svg, atom.Select, atom.Button, atom.Object, atom.Canvas:
		return false
	case atom.Img:
		n.Type, n.DataAtom, n.Data, n.Attr = html.TextNode, 0, attribute(n, "alt"), nil
	case atom.A:
		rename(n, atom.Span)
	case atom.Em, atom.I, atom.Strong, atom.B:
		if nesting >= maxNesting {
			rename(n, atom.Span)
		}
	case atom.Td, atom.Th:
		n.Attr = nil // a span of a million columns would be written out
	default:
		if nesting >= maxNesting && nests(n) {
			rename(n, atom.Div)
		}
	}
	return true
}

// nests tells whether an element is written out in every line in it, or by
// going through its text once more.
func nests(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Ul, atom.Ol, atom.Blockquote, atom.Em, atom.I, atom.Strong, atom.B,
		atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		return true
	}
	return false
}

// ragged tells whether writing a table in full would mostly write empty cells:
// every row gets as many as the longest.
func ragged(n *html.Node) bool {
	rows, longest, cells, all := 0, 0, 0, 0
	for d := range n.Descendants() {
		switch d.DataAtom {
		case atom.Tr:
			rows++
			cells = 0
		case atom.Td, atom.Th:
			cells++
			all++
			longest = max(longest, cells)
		}
	}
	return rows*longest > 10_000+8*all
}

// flattenTable makes blocks of a table, its rows and its cells.
func flattenTable(n *html.Node) {
	rename(n, atom.Div)
	for child := range n.ChildNodes() {
		switch child.DataAtom {
		case atom.Tbody, atom.Thead, atom.Tfoot, atom.Tr:
			flattenTable(child)
		case atom.Td, atom.Th, atom.Caption:
			rename(child, atom.Div)
		}
	}
}

func rename(n *html.Node, to atom.Atom) { n.DataAtom, n.Data, n.Attr = to, to.String(), nil }

func attribute(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}
