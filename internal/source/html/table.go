package html

import (
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/neorag/neorag/internal/source/plain"
)

// maxRowSpan is the most rows that a cell spans; a longer one counts as one cell.
const maxRowSpan = 1000

// longCell is the length, in bytes, of a cell of several lines or blocks that belongs to the layout of the page, not to a table.
const longCell = 1000

// shapeTable prepares a table for Markdown, where each row is one line. A table that only lays out
// the page becomes blocks.
func shapeTable(table *html.Node) {
	if isLayout(table) {
		flattenTable(table)
		return
	}
	expandSpans(table)
	if isRagged(table) {
		flattenTable(table)
		return
	}
	for n := range table.Descendants() {
		if n.DataAtom == atom.Th { // the converter would move the first row with one to the top
			rename(n, atom.Td)
		}
		if n.DataAtom == atom.Td {
			inlineCell(n)
		}
	}
}

// isLayout reports whether a table lays out the page: it says so, or holds a main heading or a long
// text in a cell, or it has blocks in only one row or column.
func isLayout(table *html.Node) bool {
	rows, cells, columns, blocks := 0, 0, 0, false
	for n := range table.Descendants() {
		switch n.DataAtom {
		case atom.H1, atom.H2:
			return true
		case atom.Tr:
			rows, cells = rows+1, 0
		case atom.Td, atom.Th:
			cells++
			columns = max(columns, cells)
			lines := false
			for d := range n.Descendants() {
				blocks = blocks || isBlock(d)
				lines = lines || isBlock(d) || d.DataAtom == atom.Br
			}
			if lines && len(textContent(n)) > longCell {
				return true
			}
		}
	}
	return blocks && (rows < 2 || columns < 2) || slices.Contains([]string{"presentation", "none"}, attribute(table, "role"))
}

// itemBreak is between two items of a list in a cell until the page is converted.
const itemBreak = "\ue0f4"

// inlineCell turns what is in a cell into one line.
func inlineCell(cell *html.Node) {
	for n := range cell.Descendants() {
		switch {
		case n.Type == html.TextNode:
			n.Data = strings.ReplaceAll(n.Data, "|", `\|`)
		case is(n, atom.Br, atom.Hr):
			n.Type, n.DataAtom, n.Data, n.Attr = html.TextNode, 0, " ", nil
		case isBlock(n):
			before := " "
			if is(n, atom.Li, atom.Dt) && hasElementBefore(n) {
				before = itemBreak
			}
			n.Parent.InsertBefore(&html.Node{Type: html.TextNode, Data: before}, n)
			n.Parent.InsertBefore(&html.Node{Type: html.TextNode, Data: " "}, n.NextSibling)
			rename(n, atom.Span)
		}
	}
}

func hasElementBefore(n *html.Node) bool {
	for n = n.PrevSibling; n != nil && n.Type != html.ElementNode; {
		n = n.PrevSibling
	}
	return n != nil
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

// expandSpans gives each column of a table its own cell in each row, so that values stay below
// their headers: a cell that spans rows is repeated in each, and one that spans columns is
// followed by empty cells, or, in a header, repeated.
func expandSpans(table *html.Node) {
	type open struct {
		cell *html.Node
		rows int
	}
	spanning := map[int]open{} // by column
	left := plain.MaxCopied
	repeat := func(cell *html.Node) *html.Node {
		if left -= 16 + len(textContent(cell)); left < 0 {
			return &html.Node{Type: html.ElementNode, DataAtom: atom.Td, Data: "td"}
		}
		return copyNode(cell)
	}
	for row := range table.Descendants() {
		if row.DataAtom != atom.Tr {
			continue
		}
		var cells []*html.Node
		fill := func() {
			for {
				s, ok := spanning[len(cells)]
				if !ok {
					return
				}
				if s.rows--; s.rows == 0 {
					delete(spanning, len(cells))
				} else {
					spanning[len(cells)] = s
				}
				cells = append(cells, repeat(s.cell))
			}
		}
		for cell := range row.ChildNodes() {
			if cell.DataAtom != atom.Td && cell.DataAtom != atom.Th {
				continue
			}
			fill()
			columns, rows := span(cell, "colspan", plain.MaxColumnSpan), span(cell, "rowspan", maxRowSpan)
			cell.Attr = nil
			for i := range columns {
				shown := cell
				if i > 0 && cell.DataAtom == atom.Th {
					shown = repeat(cell)
				} else if i > 0 {
					shown = &html.Node{Type: html.ElementNode, DataAtom: atom.Td, Data: "td"}
				}
				if rows > 1 {
					spanning[len(cells)] = open{shown, rows - 1}
				}
				cells = append(cells, shown)
			}
		}
		fill()
		for child := row.FirstChild; child != nil; child = row.FirstChild {
			row.RemoveChild(child)
		}
		for _, cell := range cells {
			row.AppendChild(cell)
		}
	}
}

// span returns how many columns or rows a cell spans: 1 if that is not a number, or too many.
func span(cell *html.Node, key string, limit int) int {
	n, err := strconv.Atoi(attribute(cell, key))
	if err != nil || n < 1 || n > limit {
		return 1
	}
	return n
}

// copyNode returns a copy of a node and what is in it.
func copyNode(n *html.Node) *html.Node {
	out := &html.Node{Type: n.Type, DataAtom: n.DataAtom, Data: n.Data}
	for child := range n.ChildNodes() {
		out.AppendChild(copyNode(child))
	}
	return out
}

// isBlock reports whether an element begins and ends a line.
func isBlock(n *html.Node) bool {
	switch n.DataAtom {
	case atom.P, atom.Div, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Pre, atom.Blockquote, atom.Ul, atom.Ol, atom.Li, atom.Dl, atom.Dt, atom.Dd,
		atom.Section, atom.Article, atom.Header, atom.Footer, atom.Main, atom.Nav, atom.Aside, atom.Figure, atom.Figcaption, atom.Details, atom.Summary,
		atom.Form, atom.Fieldset, atom.Legend, atom.Address, atom.Center, atom.Hgroup, atom.Dialog, atom.Menu:
		return true
	}
	return false
}
