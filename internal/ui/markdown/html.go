package markdown

import (
	"fmt"
	"html"
	"strings"

	"github.com/yuin/goldmark/ast"
	table "github.com/yuin/goldmark/extension/ast"

	"github.com/neorag/neorag/internal/text/sanitize"
)

// HTML returns a text as HTML, all of it escaped. A reference is a link where href
// returns an address for its number; href may be nil. Headings begin at level
// shift + 1.
//
// goldmark's own renderer is not used: it resolves entities, which would bring back the
// direction marks that sanitize.Controls removes.
func HTML(text string, shift int, href func(n int) string) string {
	source := []byte(sanitize.Controls(text))
	p := &page{source: source, shift: shift, href: href}
	p.blocks(parse(source))
	return p.b.String()
}

type page struct {
	b      strings.Builder
	source []byte
	shift  int
	href   func(n int) string
}

// tags are the tags of blocks. A block without one is written as its text.
var tags = map[ast.NodeKind]string{
	ast.KindParagraph: "p", ast.KindBlockquote: "blockquote", ast.KindList: "ul", ast.KindListItem: "li",
	table.KindTable: "table", table.KindTableHeader: "tr", table.KindTableRow: "tr", table.KindTableCell: "td",
}

func (p *page) blocks(parent ast.Node) {
	for child := parent.FirstChild(); child != nil; child = child.NextSibling() {
		p.block(child)
		switch parent.Kind() {
		case ast.KindBlockquote: // the pages of reports preserve white space in quotes
		case ast.KindListItem:
			if child.NextSibling() != nil {
				p.b.WriteByte('\n')
			}
		default:
			p.b.WriteByte('\n')
		}
	}
}

func (p *page) block(n ast.Node) {
	if lines, ok := codeLines(n, p.source); ok {
		p.b.WriteString("<pre><code>" + html.EscapeString(strings.Join(lines, "\n")) + "\n</code></pre>")
		return
	}
	tag, attribute := tags[n.Kind()], ""
	switch n := n.(type) {
	case *ast.ThematicBreak:
		p.b.WriteString("<hr>")
		return
	case *ast.Heading:
		tag = fmt.Sprintf("h%d", min(n.Level+p.shift, 6))
	case *ast.List:
		if n.IsOrdered() {
			tag = "ol"
		}
	case *table.TableCell:
		if n.Parent().Kind() == table.KindTableHeader {
			tag = "th"
		}
	case *ast.ListItem:
		if number := itemNumber(n, p.source); number != "" {
			attribute = fmt.Sprintf(` value="%s"`, number)
		}
	}
	if tag != "" {
		p.b.WriteString("<" + tag + attribute + ">")
		defer p.b.WriteString("</" + tag + ">")
	}
	switch tag {
	case "ul", "ol", "table", "tr":
		p.b.WriteByte('\n')
		p.blocks(n)
	case "li", "blockquote":
		p.blocks(n)
	default:
		p.inline(n)
	}
}

// inline writes the text of a block.
func (p *page) inline(n ast.Node) {
	for _, s := range spans(n, p.source) {
		if s.text == "\n" {
			p.b.WriteString("<br>\n")
			continue
		}
		text := html.EscapeString(s.text)
		if s.n > 0 && p.href != nil {
			if to := p.href(s.n); to != "" {
				text = `<a href="` + html.EscapeString(to) + `">` + text + "</a>"
			}
		}
		for i, tag := range []string{"code", "em", "strong"} {
			if s.style&[]style{monospace, italic, bold}[i] != 0 {
				text = "<" + tag + ">" + text + "</" + tag + ">"
			}
		}
		p.b.WriteString(text)
	}
}
