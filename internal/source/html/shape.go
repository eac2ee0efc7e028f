package html

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/neorag/neorag/internal/source/plain"
)

// roleElements are the elements of tables by the roles that give another element their meaning.
var roleElements = map[string]atom.Atom{
	"table": atom.Table, "grid": atom.Table, "treegrid": atom.Table, "rowgroup": atom.Tbody, "row": atom.Tr,
	"columnheader": atom.Th, "rowheader": atom.Th, "cell": atom.Td, "gridcell": atom.Td,
}

// roleChildren are the elements that each element of a table may contain; a cell may contain any.
var roleChildren = map[atom.Atom][]atom.Atom{
	atom.Table: {atom.Tbody, atom.Tr}, atom.Tbody: {atom.Tr}, atom.Tr: {atom.Th, atom.Td},
}

// headingLevels are the elements of headings, by their level.
var headingLevels = []atom.Atom{atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6}

// shape gives an element the kind that its role or its style shows it as.
func shape(n *html.Node) {
	role := attribute(n, "role")
	switch {
	case !is(n, atom.Div, atom.Span, atom.P, atom.Label, atom.A, atom.Small):
	case roleElements[role] == atom.Table && isRoleTable(n, atom.Table):
		nameRoles(n)
	case role == "heading":
		level, err := strconv.Atoi(attribute(n, "aria-level"))
		if err != nil {
			level = 2 // as browsers do
		}
		rename(n, headingLevels[max(1, min(level, len(headingLevels)))-1])
	case roleElements[role] != 0, hasStyle(n, "display:block", "display:flex", "display:grid", "display:table", "display:list-item"):
		rename(n, atom.Div)
	}
}

// isRoleTable reports whether an element has only parts of a table in it, down to the cells.
func isRoleTable(n *html.Node, kind atom.Atom) bool {
	allowed := roleChildren[kind]
	if allowed == nil {
		return true
	}
	for c := range n.ChildNodes() {
		inner := roleElements[attribute(c, "role")]
		if c.Type == html.TextNode && strings.TrimSpace(c.Data) != "" || c.Type == html.ElementNode && (!slices.Contains(allowed, inner) || !isRoleTable(c, inner)) {
			return false
		}
	}
	return true
}

// nameRoles turns an element and the parts of the table in it into elements of HTML.
func nameRoles(n *html.Node) {
	kind := roleElements[attribute(n, "role")]
	rename(n, kind)
	for c := range n.ChildNodes() {
		if c.Type == html.ElementNode && roleChildren[kind] != nil {
			nameRoles(c)
		}
	}
}

// setApart puts spaces around an element that the page shows at a distance from its neighbours.
func setApart(n *html.Node) {
	n.Parent.InsertBefore(&html.Node{Type: html.TextNode, Data: " "}, n)
	if next := n.NextSibling; next != nil && next.Type == html.TextNode {
		if r, _ := utf8.DecodeRuneInString(next.Data); unicode.IsPunct(r) {
			return
		}
	}
	n.Parent.InsertBefore(&html.Node{Type: html.TextNode, Data: " "}, n.NextSibling)
}

// listFormats are the formats of Word for the types of lists.
var listFormats = map[string]string{"a": "lowerLetter", "A": "upperLetter", "i": "lowerRoman", "I": "upperRoman"}

// numberItems writes the numbers of a list into its items if they are letters or are not in order,
// which Markdown cannot show.
func numberItems(list *html.Node) {
	var items []*html.Node
	format, step, unnumbered := listFormats[attribute(list, "type")], 1, true
	for c := range list.ChildNodes() {
		if c.DataAtom == atom.Li {
			items = append(items, c)
			unnumbered = unnumbered && !hasAttribute(c, "value")
		}
	}
	number, err := strconv.Atoi(attribute(list, "start"))
	if hasAttribute(list, "reversed") {
		step = -1
	}
	if unnumbered && format == "" && step > 0 {
		return
	}
	switch {
	case err == nil:
	case step < 0:
		number = len(items)
	default:
		number = 1
	}
	for _, item := range items {
		if value, err := strconv.Atoi(attribute(item, "value")); err == nil {
			number = value
		}
		for d := range item.Descendants() {
			if d.Type == html.TextNode && strings.TrimSpace(d.Data) != "" {
				d.Data = plain.Numeral(number, format) + ". " + strings.TrimLeft(d.Data, " \t\n")
				break
			}
		}
		number += step
	}
	rename(list, atom.Ul)
}
