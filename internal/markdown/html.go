package markdown

import (
	"html"
	"strconv"
	"strings"
)

// HTML is a text as HTML, all of it escaped. Links become text; a reference
// becomes a link where href gives an address for its number. Headings begin at
// level shift + 1.
func HTML(text string, shift int, href func(n int) string) string {
	p := &page{shift: shift, href: href}
	whole(text, p)
	return p.b.String()
}

// page writes blocks as HTML.
type page struct {
	b     strings.Builder
	shift int
	href  func(n int) string
	end   string   // of the block that is open
	lists []string // tags of the lists that are open
}

func (p *page) open(b block) {
	p.endBlock()
	if b.kind == item {
		p.item(b)
		return
	}
	p.unwind(b.level)
	if b.kind == heading {
		p.unwind(0)
		tag := "h" + strconv.Itoa(min(b.level+p.shift, 6))
		p.tag(tag)
		return
	}
	switch b.kind {
	case code:
		p.b.WriteString("<pre><code>")
		p.end = "</code></pre>\n"
	case quote:
		p.b.WriteString("<blockquote><p>")
		p.end = "</p></blockquote>\n"
	case rule:
		p.b.WriteString("<hr>\n")
	default:
		p.tag("p")
	}
}

func (p *page) tag(name string) {
	p.b.WriteString("<" + name + ">")
	p.end = "</" + name + ">\n"
}

// item opens an item in the list of its level, and that list if need be.
func (p *page) item(b block) {
	tag, value := "ul", ""
	if n, err := strconv.Atoi(strings.Trim(b.marker, ".)")); err == nil {
		tag, value = "ol", ` value="`+strconv.Itoa(n)+`"`
	}
	p.unwind(b.level + 1)
	if len(p.lists) == b.level+1 {
		p.b.WriteString("</li>\n")
		if p.lists[b.level] != tag {
			p.b.WriteString("</" + p.lists[b.level] + ">\n")
			p.lists = p.lists[:b.level]
		}
	}
	if len(p.lists) <= b.level {
		p.b.WriteString("\n<" + tag + ">\n")
		p.lists = append(p.lists, tag)
	}
	p.b.WriteString("<li" + value + ">")
}

// unwind closes lists down to a depth.
func (p *page) unwind(depth int) {
	for len(p.lists) > depth {
		last := len(p.lists) - 1
		p.b.WriteString("</li>\n</" + p.lists[last] + ">\n")
		p.lists = p.lists[:last]
	}
}

func (p *page) endBlock() {
	p.b.WriteString(p.end)
	p.end = ""
}

func (p *page) text(s span) {
	if s.text == " " && s.end {
		p.b.WriteString("<br>\n")
		return
	}
	text := html.EscapeString(s.text)
	if s.style&reference != 0 && p.href != nil {
		if to := p.href(s.n); to != "" {
			text = `<a href="` + html.EscapeString(to) + `">` + text + "</a>"
		}
	}
	for _, t := range []struct {
		style style
		tag   string
	}{{monospace, "code"}, {italic, "em"}, {bold, "strong"}} {
		if s.style&t.style != 0 && !s.end {
			text = "<" + t.tag + ">" + text + "</" + t.tag + ">"
		}
	}
	if s.end {
		text += "\n"
	}
	p.b.WriteString(text)
}

func (p *page) close() {
	p.endBlock()
	p.unwind(0)
}
