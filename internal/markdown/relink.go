package markdown

import (
	"regexp"
	"strconv"
	"strings"
)

// Relink is a text as markdown that any reader shows alike: its blocks and
// emphasis, no HTML and no link but those of the references, where href gives an
// address for their number. Headings begin at level shift + 1.
func Relink(text string, shift int, href func(n int) string) string {
	p := &source{shift: shift, href: href}
	whole(text, p)
	return p.b.String()
}

// source writes blocks as markdown.
type source struct {
	b      strings.Builder
	shift  int
	href   func(n int) string
	block  block
	lines  []string // of the code that is open
	isOpen bool
	lead   string // the beginning of the line's text
	stars  style  // the emphasis that is open
}

func (p *source) open(b block) {
	p.endBlock()
	last := p.block.kind
	if p.b.Len() > 0 && (b.loose || b.kind != item || last != item) {
		p.b.WriteString("\n")
	}
	p.block, p.isOpen, p.lead = b, true, ""
	indent := strings.Repeat("    ", b.level)
	switch b.kind {
	case heading:
		p.b.WriteString(strings.Repeat("#", min(b.level+p.shift, 6)) + " ")
	case item:
		p.b.WriteString(indent + strings.Replace(b.marker, "•", "-", 1) + " ")
	case quote:
		p.b.WriteString("> ")
	case rule:
		p.b.WriteString("---")
	case paragraph:
		p.b.WriteString(indent)
	}
}

var openers = regexp.MustCompile(`^(?:[#+\-=>|~]|\d+[.)])`)

// leadBytes is how far the mark of a block may reach, at least.
const leadBytes = 16

// escapes are what would mean something where it is text.
var escapes = strings.NewReplacer(`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", `\<`, ">", `\>`, "&", `\&`, "|", `\|`, "!", `\!`)

func (p *source) text(s span) {
	if p.block.kind == code {
		p.lines = append(p.lines, s.text)
		return
	}
	if s.text == " " && s.end {
		p.b.WriteString("\\\n")
		if p.block.kind == quote {
			p.b.WriteString("> ")
		}
		p.b.WriteString(strings.Repeat("    ", p.block.level))
		p.lead = ""
		return
	}
	p.emphasise(s.style & (bold | italic))
	text := p.escape(s.text)
	if s.style&reference != 0 && p.href != nil {
		if to := p.href(s.n); to != "" {
			text = `[\[` + strconv.Itoa(s.n) + `\]](` + to + ")"
		}
	}
	if s.style&monospace != 0 {
		mark := fenceFor(s.text, "`")
		if text = s.text; strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") {
			text = " " + text + " "
		}
		text = mark + text + mark
	}
	p.b.WriteString(text)
}

// escape escapes what would mean something, and what would open a block where
// it stands first.
func (p *source) escape(text string) string {
	from := len(p.lead)
	if from <= leadBytes {
		p.lead += text
	}
	if m := openers.FindStringIndex(p.lead); m != nil && m[1] > from {
		at := m[1] - 1 - from
		return escapes.Replace(text[:at]) + `\` + text[at:at+1] + escapes.Replace(text[at+1:])
	}
	return escapes.Replace(text)
}

// emphasise ends the emphasis that holds and begins another.
func (p *source) emphasise(to style) {
	if to != p.stars {
		p.b.WriteString(stars[p.stars] + stars[to])
		p.stars = to
	}
}

var stars = map[style]string{italic: "*", bold: "**", bold | italic: "***"}

// fenceFor is a run of backticks that is in none of the texts, at least as long as least.
func fenceFor(text, least string) string {
	fence := least
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence
}

func (p *source) endBlock() {
	if !p.isOpen {
		return
	}
	p.emphasise(0)
	if p.block.kind == code {
		indent := strings.Repeat("    ", p.block.level)
		text := strings.Join(p.lines, "\n"+indent)
		fence := fenceFor(text, "```")
		p.b.WriteString(indent + fence + "\n" + indent + text + "\n" + indent + fence)
		p.lines = nil
	}
	p.b.WriteString("\n")
	p.isOpen = false
}

func (p *source) close() { p.endBlock() }

// Escape is a text as markdown that shows it, on one line.
func Escape(text string) string {
	return (&source{}).escape(strings.Join(strings.Fields(Sanitize(text)), " "))
}
