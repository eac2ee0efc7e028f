package html

import (
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// An stripper removes what is not text from a page.
type stripper struct {
	shown map[string]bool // ids of hidden elements that the reader can open
}

// strip removes scripts, styles, buttons, hidden and deleted elements, images except for their descriptions,
// and the addresses of links, which would become tokens and names. It replaces elements that are
// nested too deep, and tables that contain tables, which only lay out the page, by plain elements.
// It reports whether n contains a table.
func (h stripper) strip(n *html.Node, nesting int) (tables bool) {
	for _, child := range children(n) {
		if child.Type == html.ElementNode && (h.isHidden(child) || !keepElement(child, nesting)) {
			n.RemoveChild(child)
			continue
		}
		below := nesting
		if isNesting(child) {
			below++
		}
		inner := h.strip(child, below)
		switch {
		case child.DataAtom == atom.Table && inner:
			flattenTable(child)
		case child.DataAtom == atom.Table:
			shapeTable(child)
		case inner && is(child, atom.Strong, atom.B, atom.Em, atom.I): // the converter writes no table in them
			rename(child, atom.Div)
		}
		tables = tables || inner || child.DataAtom == atom.Table
	}
	return tables
}

// keepElement simplifies an element. It returns false for an element to remove with
// everything in it.
func keepElement(n *html.Node, nesting int) bool {
	if isPermalink(n) {
		return false
	}
	if isRaised(n) {
		raise(n)
		return true
	}
	shape(n)
	switch n.DataAtom {
	case atom.Script, atom.Style, atom.Template, atom.Svg, atom.Object, atom.Canvas, atom.Del, atom.S, atom.Strike,
		atom.Rt, atom.Rtc, atom.Rp, atom.Datalist:
		return false
	case atom.Button:
		if !isTitleButton(n) {
			return false
		}
		rename(n, atom.Span)
		addSpace(n)
	case atom.Select, atom.Input:
		n.FirstChild, n.LastChild, n.Type, n.DataAtom, n.Data, n.Attr = nil, nil, html.TextNode, 0, fieldValue(n), nil
		setApart(n)
	case atom.Sup, atom.Sub:
		markScript(n)
	case atom.Img:
		n.Type, n.DataAtom, n.Data, n.Attr = html.TextNode, 0, attribute(n, "alt"), nil
		addSpace(n)
	case atom.A:
		rename(n, atom.Span)
	case atom.Ol:
		numberItems(n)
		if nesting >= maxNesting {
			rename(n, atom.Div)
		}
	case atom.Textarea, atom.Label:
		rename(n, atom.Span)
		setApart(n)
	case atom.Em, atom.I, atom.Strong, atom.B:
		if nesting >= maxNesting {
			rename(n, atom.Span)
		}
	default:
		if nesting >= maxNesting && isNesting(n) {
			rename(n, atom.Div)
		}
	}
	return true
}

// addSpace separates what was a button or an image from the next one, which may be in a link.
func addSpace(n *html.Node) {
	if n.NextSibling == nil && n.Parent != nil && is(n.Parent, atom.A, atom.Span) {
		n = n.Parent
	}
	if next := n.NextSibling; next != nil && next.Type == html.ElementNode && is(next, atom.Img, atom.Button, atom.A) {
		n.Parent.InsertBefore(&html.Node{Type: html.TextNode, Data: " "}, next)
	}
}

// isNesting reports whether the converter marks every line of an element's content,
// or processes the content again.
func isNesting(n *html.Node) bool {
	return is(n, atom.Ul, atom.Ol, atom.Blockquote, atom.Em, atom.I, atom.Strong, atom.B, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6)
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
