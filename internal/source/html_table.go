package source

import (
	"strconv"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Limits of the spans of cells: wider or longer ones count as one cell.
const (
	maxColumnSpan = 100
	maxRowSpan    = 1000
	maxCopied     = 1 << 20 // bytes of text that the spans of a table may repeat
)

// expandSpans gives each column of a table its own cell in each row, so that values stay below
// their headers: a cell that spans rows is repeated in each, and one that spans columns is
// followed by empty cells, or, in a header, repeated.
func expandSpans(table *html.Node) {
	type open struct {
		cell *html.Node
		rows int
	}
	spanning := map[int]open{} // by column
	left := maxCopied
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
			columns, rows := span(cell, "colspan", maxColumnSpan), span(cell, "rowspan", maxRowSpan)
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
