package source

import (
	"cmp"
	"context"
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

// maxNesting bounds how deep lists, quotes and similar elements may be nested: the
// converter processes the whole content of each level again.
const maxNesting = 16

// toMarkdown keeps the structure that chunks are split by: headings, lists and
// tables. Nothing is escaped, because the text is not rendered.
var toMarkdown = sync.OnceValue(func() *converter.Converter {
	c := converter.NewConverter(
		converter.WithEscapeMode(converter.EscapeModeDisabled),
		converter.WithPlugins(base.NewBasePlugin(), commonmark.NewCommonmarkPlugin(), table.NewTablePlugin(
			table.WithCellPaddingBehavior(table.CellPaddingBehaviorMinimal), // spaces are tokens
			table.WithHeaderPromotion(true),
			table.WithSkipEmptyRows(true),
		)),
	)
	// The base plugin escapes angle brackets even so: replace them before it runs.
	hide, show := strings.NewReplacer("<", "\ue0f1", ">", "\ue0f2"), strings.NewReplacer("\ue0f1", "<", "\ue0f2", ">")
	c.Register.TextTransformer(func(_ converter.Context, s string) string { return hide.Replace(s) }, converter.PriorityEarly)
	c.Register.TextTransformer(func(_ converter.Context, s string) string { return show.Replace(s) }, converter.PriorityLate)
	return c
})

// readHTML converts a page to Markdown. The parser refuses elements nested deeper
// than 512 levels, so that no page exhausts the stack.
func readHTML(_ context.Context, raw []byte, doc graph.Document, with parsing) (graph.Document, []Failure, error) {
	page, err := decodeHTML(raw, with)
	if err != nil {
		return doc, nil, err
	}
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		return doc, nil, fmt.Errorf("parse HTML: %w", err)
	}
	title := pageTitle(root)
	stripNonText(root, 0)
	markdown, err := toMarkdown().ConvertNode(root)
	if err != nil {
		return doc, nil, fmt.Errorf("convert HTML to Markdown: %w", err)
	}
	doc.Text = clean(string(markdown))
	doc.Title = cmp.Or(title, doc.Title)
	doc.Date = refineDate(doc.Date, doc.Text)
	return doc, nil, nil
}

// pageTitle returns the title of a page, not that of an SVG image in it.
func pageTitle(root *html.Node) string {
	for n := range root.Descendants() {
		if n.DataAtom == atom.Title && n.Namespace == "" && n.FirstChild != nil {
			return cleanLine(n.FirstChild.Data)
		}
	}
	return ""
}

// stripNonText removes what is not text: scripts, styles, forms, images except for
// their descriptions, and the addresses of links, which would become tokens and
// names. It replaces elements that are nested too deep, and tables that contain
// tables, which only lay out the page, by plain elements. It reports whether n
// contains a table.
func stripNonText(n *html.Node, nesting int) (tables bool) {
	for child := n.FirstChild; child != nil; {
		next := child.NextSibling
		if child.Type == html.ElementNode && !keepElement(child, nesting) {
			n.RemoveChild(child)
		} else {
			below := nesting
			if isNesting(child) {
				below++
			}
			inner := stripNonText(child, below)
			if child.DataAtom == atom.Table && (inner || isRagged(child)) {
				flattenTable(child)
			}
			tables = tables || inner || child.DataAtom == atom.Table
		}
		child = next
	}
	return tables
}

// keepElement simplifies an element. It returns false for an element to remove with
// everything in it.
func keepElement(n *html.Node, nesting int) bool {
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
		n.Attr = nil // the converter would write out a span of a million columns
	default:
		if nesting >= maxNesting && isNesting(n) {
			rename(n, atom.Div)
		}
	}
	return true
}

// isNesting reports whether the converter marks every line of an element's content,
// or processes the content again.
func isNesting(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Ul, atom.Ol, atom.Blockquote, atom.Em, atom.I, atom.Strong, atom.B,
		atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		return true
	}
	return false
}

// isRagged reports whether the Markdown of a table would have mostly empty cells,
// because every row gets as many cells as the longest has.
func isRagged(n *html.Node) bool {
	rows, longest, cells, total := 0, 0, 0, 0
	for d := range n.Descendants() {
		switch d.DataAtom {
		case atom.Tr:
			rows++
			cells = 0
		case atom.Td, atom.Th:
			cells++
			total++
			longest = max(longest, cells)
		}
	}
	return rows*longest > 10_000+8*total
}

// flattenTable turns a table, its rows and its cells into blocks.
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
