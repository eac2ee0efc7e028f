package html

import (
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/neorag/neorag/internal/source/plain"
)

// controlledElements returns the ids of elements that buttons and links of the page open.
func controlledElements(root *html.Node) map[string]bool {
	ids := map[string]bool{}
	for n := range root.Descendants() {
		for _, a := range n.Attr {
			switch a.Key {
			case "aria-controls":
				for id := range strings.FieldsSeq(a.Val) {
					ids[id] = true
				}
			case "href", "data-target", "data-bs-target":
				if id, found := strings.CutPrefix(a.Val, "#"); found {
					ids[id] = true
				}
			}
		}
	}
	return ids
}

// isHidden reports whether an element is not shown and cannot be opened.
func (h stripper) isHidden(n *html.Node) bool {
	hidden := hasAttribute(n, "hidden") && !strings.EqualFold(attribute(n, "hidden"), "until-found") || hasStyle(n, "display:none", "visibility:hidden") ||
		n.DataAtom == atom.Dialog && !hasAttribute(n, "open")
	return hidden && !h.shown[attribute(n, "id")] && attribute(n, "role") != "tabpanel"
}

// hasStyle reports whether the style attribute of an element has one of some values, written
// "display:none".
func hasStyle(n *html.Node, values ...string) bool {
	style := attribute(n, "style")
	if style == "" {
		return false
	}
	style = strings.ToLower(strings.Join(strings.Fields(style), ""))
	return slices.ContainsFunc(values, func(value string) bool { return strings.Contains(style, value) })
}

// isPermalink reports whether a link is a mark that leads to a place in a page, such as the heading
// next to it, and not a part of the text.
func isPermalink(n *html.Node) bool {
	return strings.Contains(attribute(n, "href"), "#") && slices.Contains([]string{"#", "¶", "§", "🔗", "↩", "↩︎", "↑"}, strings.TrimSpace(textContent(n)))
}

// isTitleButton reports whether the text of a button is the title of what it opens, as in a list
// of questions.
func isTitleButton(n *html.Node) bool {
	for _, a := range n.Attr {
		if a.Key == "aria-expanded" || a.Key == "aria-controls" {
			return true
		}
	}
	return contain(n.Ancestors(), atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Dt, atom.Summary)
}

// fieldValue returns what a field of a form shows, or "".
func fieldValue(n *html.Node) string {
	if n.DataAtom == atom.Select {
		var chosen []string
		for o := range n.Descendants() {
			if o.DataAtom == atom.Option && hasAttribute(o, "selected") {
				chosen = append(chosen, textContent(o))
			}
		}
		return strings.Join(chosen, ", ")
	}
	switch strings.ToLower(attribute(n, "type")) {
	case "checkbox", "radio":
		if hasAttribute(n, "checked") {
			return "☑"
		}
		return "☐"
	case "", "text", "search", "email", "tel", "url", "number", "date", "month", "week", "time", "datetime-local":
		return attribute(n, "value")
	}
	return ""
}

// markScript writes a raised or lowered text so that it is not read as a part of the number or word
// before it. A link, as to a footnote, is put in brackets.
func markScript(n *html.Node) {
	script := strings.TrimSpace(textContent(n))
	before, _ := utf8.DecodeLastRuneInString(textBeside(n, func(n *html.Node) *html.Node { return n.PrevSibling }))
	after, _ := utf8.DecodeRuneInString(textBeside(n, func(n *html.Node) *html.Node { return n.NextSibling }))
	written := script
	switch {
	case n.DataAtom == atom.Sub:
		written = plain.LoweredText(before, script, after)
	case !hasLink(n):
		written = plain.RaisedText(before, script)
	case script != "" && plain.IsAttached(before) && !strings.HasPrefix(script, "["):
		written = "[" + script + "]"
	}
	if written != script {
		n.FirstChild, n.LastChild = nil, nil
		n.AppendChild(&html.Node{Type: html.TextNode, Data: written})
	}
}

// isRaised reports whether an element is raised as <sup> is: by its style, or as a link to a note.
func isRaised(n *html.Node) bool {
	if n.DataAtom != atom.A || hasStyle(n, "vertical-align:super") {
		return is(n, atom.A, atom.Span, atom.Font, atom.Small, atom.B, atom.I, atom.Em, atom.Strong) && hasStyle(n, "vertical-align:super")
	}
	mark := strings.TrimSpace(textContent(n))
	isNumber := mark != "" && len(mark) <= 3 && strings.Trim(mark, "0123456789") == ""
	return attribute(n, "role") == "doc-noteref" || attribute(n, "epub:type") == "noteref" || isNumber && strings.HasPrefix(attribute(n, "href"), "#")
}

// raise turns an element into <sup>, with a link in it if it is one.
func raise(n *html.Node) {
	if n.DataAtom == atom.A {
		link := &html.Node{Type: html.ElementNode, DataAtom: atom.A, Data: "a"}
		for c := n.FirstChild; c != nil; c = n.FirstChild {
			n.RemoveChild(c)
			link.AppendChild(c)
		}
		n.AppendChild(link)
	}
	rename(n, atom.Sup)
	markScript(n)
}

func hasLink(n *html.Node) bool {
	return contain(n.Descendants(), atom.A) ||
		n.Parent != nil && is(n.Parent, atom.A) && strings.TrimSpace(textContent(n.Parent)) == strings.TrimSpace(textContent(n))
}

// textBeside returns the text of the sibling of an element in its line.
func textBeside(n *html.Node, sibling func(*html.Node) *html.Node) string {
	for ; n != nil && isInline(n); n = n.Parent {
		if s := sibling(n); s != nil {
			return textContent(s)
		}
	}
	return ""
}

func isInline(n *html.Node) bool {
	return is(n, atom.Sup, atom.Sub, atom.A, atom.Span, atom.B, atom.I, atom.Em, atom.Strong)
}

// textContent returns the text in a node.
func textContent(n *html.Node) string {
	if n.Type == html.TextNode {
		return n.Data
	}
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return b.String()
}

func hasAttribute(n *html.Node, key string) bool {
	return slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == key })
}
