package html

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/neorag/neorag/internal/source/plain"
	"github.com/neorag/neorag/internal/text"
)

// writeFormulas replaces the formulas of a page by their text. A formula is often hidden next to a
// picture or a drawing of it, which is removed.
func writeFormulas(root *html.Node) {
	var formulas []*html.Node
	for n := range root.Descendants() {
		if n.DataAtom == atom.Math {
			formulas = append(formulas, n)
		}
	}
	for _, n := range formulas {
		for p := n; p.Parent != nil; {
			for _, s := range []*html.Node{p.PrevSibling, p.NextSibling} {
				if s != nil && attribute(s, "aria-hidden") == "true" {
					p.Parent.RemoveChild(s)
				}
			}
			if p = p.Parent; p.FirstChild != p.LastChild || p.DataAtom != atom.Span && p.DataAtom != 0 {
				break
			}
			p.Attr = nil // it holds nothing else, and may be hidden
		}
		written := strings.Join(strings.Fields(mathText(n)), " ")
		if attribute(n, "display") == "block" {
			written = " " + written + " "
		}
		n.FirstChild, n.LastChild, n.Namespace = nil, nil, ""
		rename(n, atom.Span) // the converter joins texts one by one: thousands of them in a row would take minutes
		n.AppendChild(&html.Node{Type: html.TextNode, Data: written})
	}
}

// mathText returns the text of a part of a formula, written as in Word files.
func mathText(n *html.Node) string {
	switch {
	case n.Type == html.TextNode:
		return strings.Trim(strings.ReplaceAll(n.Data, "\u2061", "\u00a0"), " \t\n\u2062\u2063\u2064") // invisible operators; after a function, a space
	case n.Type != html.ElementNode, n.Data == "annotation", n.Data == "annotation-xml", n.Data == "mphantom":
		return ""
	}
	var args []string
	var b strings.Builder
	for c := range n.ChildNodes() {
		part := mathText(c)
		if c.Type == html.ElementNode {
			args = append(args, part)
		}
		if last, _ := utf8.DecodeLastRuneInString(b.String()); c.Data == "mfrac" && unicode.IsDigit(last) {
			b.WriteByte(' ') // 2 1/2
		}
		b.WriteString(part)
	}
	all := b.String()
	switch kind := n.Data; {
	case kind == "mfrac" && len(args) == 2:
		return plain.Bracketed(args[0]) + "/" + plain.Bracketed(args[1])
	case kind == "msqrt":
		return "√" + plain.Bracketed(all)
	case kind == "mroot" && len(args) == 2:
		return script(args[1], plain.Exponent) + "√" + plain.Bracketed(args[0])
	case (kind == "msup" || kind == "mover") && len(args) == 2:
		return args[0] + script(args[1], plain.Exponent)
	case (kind == "msub" || kind == "munder") && len(args) == 2:
		return args[0] + script(args[1], plain.Index)
	case (kind == "msubsup" || kind == "munderover") && len(args) == 3:
		return args[0] + script(args[1], plain.Index) + script(args[2], plain.Exponent)
	case kind == "mtr":
		return strings.Join(args, ", ")
	case kind == "mtable":
		return strings.Join(args, "; ")
	case kind == "mtext", kind == "mspace":
		return " " + all + " "
	}
	return all
}

// script returns a raised or lowered term. A sign that is neither, such as a prime or an arrow, stays as it is.
func script(s string, write func(string) string) string {
	if _, ok := text.Superscript(s); !ok && isMathSign(s) {
		return s
	}
	return write(s)
}

// isMathSign reports whether a text is a sign, such as a prime or an arrow.
func isMathSign(s string) bool {
	r, size := utf8.DecodeRuneInString(s)
	return size == len(s) && !unicode.IsLetter(r) && !unicode.IsDigit(r)
}
