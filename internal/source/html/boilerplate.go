package html

import (
	"iter"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

const (
	shortPage = 500 // letters and digits outside links: a page with fewer may be a list of links
	// mainShare and restShare are the parts of the text outside links that the main content has at
	// least, and that what is dropped has at most.
	mainShare, restShare = .9, .1
	menuLinks            = 3
	headerLinks          = 8   // of a header that is a menu
	pagerText            = 300 // letters and digits of links to the pages before and after
)

// A weight is how much text an element holds, in letters and digits, how much of it is in links, and
// how many links there are.
type weight struct{ text, linked, links int }

func (w weight) plain() int   { return w.text - w.linked }
func (w weight) isMenu() bool { return w.links >= menuLinks && 2*w.linked > w.text }

// dropBoilerplate removes menus, footers and banners from a page, but nothing that holds a tenth
// of the text outside links, or a main heading.
func dropBoilerplate(root *html.Node) {
	weights := map[*html.Node]weight{}
	total, core := weigh(root, false, weights).plain(), mainElement(root)
	if total < shortPage && core == nil {
		return
	}
	dropParts(root, false, core != nil, weights, total)
	clear(weights)
	total = weigh(root, false, weights).plain()
	holdsMost := func(n *html.Node) bool { return float64(weights[n].plain()) >= mainShare*float64(total) }
	if core != nil && holdsMost(core) {
		dropAround(core, func(*html.Node) bool { return true })
		return
	}
	if total < shortPage {
		return
	}
	core = root
	for next := core; next != nil && !isMain(core) && !hasFlow(core); { // down to where the text is
		core, next = next, nil
		for c := range core.ChildNodes() {
			if holdsMost(c) {
				next = c
			}
		}
	}
	dropAround(core, func(n *html.Node) bool {
		return weights[n].isMenu() || isNamed(n, "footer", "copyright", "breadcrumb", "breadcrumbs")
	})
}

// dropParts removes the parts of an element that are boilerplate. total is the text of the page.
func dropParts(n *html.Node, inMain, hasMain bool, weights map[*html.Node]weight, total int) {
	for _, c := range children(n) {
		if w := weights[c]; float64(w.plain()) <= restShare*float64(total) && isBoilerplate(c, w, inMain, hasMain) && !hasTitle(c) {
			n.RemoveChild(c)
		} else {
			dropParts(c, inMain || isMain(c), hasMain, weights, total)
		}
	}
}

// children returns the children that a node has now, each of which may be removed.
func children(n *html.Node) []*html.Node { return slices.Collect(n.ChildNodes()) }

// isBoilerplate reports whether an element is a menu, footer or banner by its kind, its role or its
// name. In the main content a footer or note is one only if it is full of links.
func isBoilerplate(n *html.Node, w weight, inMain, hasMain bool) bool {
	switch role := attribute(n, "role"); {
	case n.Type != html.ElementNode, n.DataAtom == atom.Head, n.DataAtom == atom.Body, isMain(n):
		return false
	case n.DataAtom == atom.Nav, role == "navigation", role == "search", w.links >= 2 && w.text <= pagerText && isPager(n):
		return true
	case n.DataAtom == atom.Aside, role == "complementary": // without main, it may be a note
		return w.isMenu() || !inMain && hasMain
	case n.DataAtom == atom.Footer, role == "contentinfo", role == "banner":
		return w.isMenu() || !inMain && !is(n.Parent, atom.Blockquote, atom.Figure, atom.Dd, atom.Li)
	case n.DataAtom == atom.Header:
		return w.isMenu() && w.links >= headerLinks // not the header of a comment
	case inMain, is(n, atom.Table, atom.Thead, atom.Tbody, atom.Tfoot, atom.Tr, atom.Td, atom.Th):
		return false
	}
	return w.isMenu() && isNamed(n, "nav", "navbar", "navigation", "menu", "sidebar", "breadcrumb", "breadcrumbs", "footer") ||
		isNamed(n, "cookie", "cookies") && isNamed(n, "banner", "notice", "bar", "consent", "law", "popup", "modal", "note")
}

// isPager reports whether an element leads to the pages before and after.
func isPager(n *html.Node) bool {
	steps := 0
	for d := range n.Descendants() {
		if d.DataAtom == atom.A && (slices.Contains([]string{"prev", "next", "up"}, attribute(d, "rel")) || slices.Contains([]string{"p", "n", "u"}, attribute(d, "accesskey"))) {
			steps++
		}
	}
	return steps >= 2
}

// isNamed reports whether a word of the class or the id of an element is one of names.
func isNamed(n *html.Node, names ...string) bool {
	for word := range strings.FieldsFuncSeq(attribute(n, "class")+" "+attribute(n, "id"), func(r rune) bool { return !unicode.IsLetter(r) }) {
		if slices.Contains(names, strings.ToLower(word)) {
			return true
		}
	}
	return false
}

// is reports whether an element is one of some kinds.
func is(n *html.Node, atoms ...atom.Atom) bool { return slices.Contains(atoms, n.DataAtom) }

func isMain(n *html.Node) bool {
	return is(n, atom.Main, atom.Article) || n.Type == html.ElementNode && attribute(n, "role") == "main"
}

// mainElement returns the only main element, or else the only article, or nil.
func mainElement(root *html.Node) *html.Node {
	var mains, articles []*html.Node
	for n := range root.Descendants() {
		if n.DataAtom == atom.Article {
			articles = append(articles, n)
		} else if isMain(n) {
			mains = append(mains, n)
		}
	}
	if len(mains) == 1 {
		return mains[0]
	}
	if len(mains) == 0 && len(articles) == 1 {
		return articles[0]
	}
	return nil
}

// hasTitle reports whether an element is or contains a main heading.
func hasTitle(n *html.Node) bool { return is(n, atom.H1) || contain(n.Descendants(), atom.H1) }

// hasFlow reports whether an element is a paragraph, or has paragraphs or headings as children.
func hasFlow(n *html.Node) bool {
	return is(n, atom.P) || contain(n.ChildNodes(), atom.P, atom.H1, atom.H2, atom.H3, atom.H4, atom.Pre, atom.Dl)
}

// contain reports whether an element of one of some kinds is among nodes.
func contain(nodes iter.Seq[*html.Node], atoms ...atom.Atom) bool {
	for n := range nodes {
		if is(n, atoms...) {
			return true
		}
	}
	return false
}

// dropAround removes the elements next to an element, and next to those that it is in, which f chooses.
func dropAround(n *html.Node, f func(n *html.Node) bool) {
	for ; n.Parent != nil && n.DataAtom != atom.Body; n = n.Parent {
		for _, c := range children(n.Parent) {
			if c != n && c.Type == html.ElementNode && c.DataAtom != atom.Head && f(c) && !hasTitle(c) {
				n.Parent.RemoveChild(c)
			}
		}
	}
}

// weigh counts the text in a node and in each node in it.
func weigh(n *html.Node, linked bool, weights map[*html.Node]weight) (w weight) {
	switch n.DataAtom {
	case atom.Script, atom.Style, atom.Template, atom.Noscript, atom.Svg, atom.Select, atom.Head:
		return w
	case atom.A:
		linked = linked || attribute(n, "href") != ""
		w.links++
	}
	for _, r := range n.Data {
		if n.Type == html.TextNode && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
			w.text++
		}
	}
	if linked {
		w.linked = w.text
	}
	for c := range n.ChildNodes() {
		in := weigh(c, linked, weights)
		w.text, w.linked, w.links = w.text+in.text, w.linked+in.linked, w.links+in.links
	}
	weights[n] = w
	return w
}
