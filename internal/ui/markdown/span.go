package markdown

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/util"
)

// A style is a set of bits.
type style uint8

const (
	bold style = 1 << iota
	italic
	monospace
	refers // the span is a reference
)

// A span is a piece of text in one style. A span of "\n" is a hard line break.
type span struct {
	text  string
	style style
	n     int // number of a reference
}

// spans returns the text of a block in order. Links and images are their text,
// followed by their address and title.
func spans(block ast.Node, source []byte) []span {
	r := &spanReader{source: source}
	r.read(block, 0)
	r.end()
	return r.spans
}

type spanReader struct {
	source []byte
	spans  []span
	text   strings.Builder // of the span that is open
	style  style           // of that span
}

// end ends the span that is open.
func (r *spanReader) end() {
	if r.text.Len() > 0 {
		r.spans = append(r.spans, span{text: r.text.String(), style: r.style})
		r.text.Reset()
	}
}

func (r *spanReader) write(text string, s style) {
	if s != r.style {
		r.end()
		r.style = s
	}
	r.text.WriteString(text)
}

func (r *spanReader) read(parent ast.Node, base style) {
	for child := parent.FirstChild(); child != nil; child = child.NextSibling() {
		switch n := child.(type) {
		case *ast.Text:
			r.write(unescape(n.Value(r.source)), base)
			if n.HardLineBreak() {
				r.end()
				r.spans = append(r.spans, span{text: "\n"})
			} else if n.SoftLineBreak() {
				r.write(" ", base)
			}
		case *ast.CodeSpan:
			r.write(codeText(n, r.source), base|monospace)
		case *reference:
			r.end()
			r.spans = append(r.spans, span{text: n.text, style: base | refers, n: n.n})
		case *ast.Emphasis:
			r.read(n, base|[]style{italic, bold}[n.Level-1])
		case *ast.Link:
			r.read(n, base)
			r.writeAddress(n.Destination, n.Title, base)
		case *ast.Image:
			r.read(n, base)
			r.writeAddress(n.Destination, n.Title, base)
		}
	}
}

func (r *spanReader) writeAddress(destination, title []byte, base style) {
	r.write(" ("+strings.TrimRight(unescape(destination)+" "+unescape(title), " ")+")", base)
}

// unescape removes backslashes before punctuation. Entities such as &lt; stay: they could
// bring back what sanitize.Controls removed.
func unescape(text []byte) string { return string(util.UnescapePunctuations(text)) }

func codeText(n *ast.CodeSpan, source []byte) string {
	var b strings.Builder
	for child := n.FirstChild(); child != nil; child = child.NextSibling() {
		b.Write(child.(*ast.Text).Value(source))
	}
	return strings.ReplaceAll(b.String(), "\n", " ")
}
