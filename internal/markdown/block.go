package markdown

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// parser reads a text in pieces, and gives its blocks and spans to a sink as
// soon as nothing that is to come can change them.
type parser struct {
	to      sink
	bytes   string // of a rune that is not complete
	held    string // of the line, not read yet
	begun   bool   // the line's block is known
	prev    rune   // before held, within the line
	last    kind   // of the block that is open
	isOpen  bool   // a paragraph, item or quote that the next line may go on with
	blank   bool   // an empty line came since
	started bool   // any block came
	hard    bool   // the line before asked for a break
	fence   string // of the code that is open; "" outside
	indents []int  // of the items that are open
}

func (p *parser) write(piece string) {
	text, rest := cutRune(p.bytes + piece)
	p.bytes = rest
	p.held += Sanitize(text)
	for {
		end := strings.IndexByte(p.held, '\n')
		if end < 0 {
			p.read(p.held, false)
			return
		}
		line, rest := p.held[:end], p.held[end+1:]
		p.read(line, true)
		p.held, p.begun, p.prev = rest, false, 0
	}
}

// end reads what is left as the last line.
func (p *parser) end() {
	p.held += Sanitize(p.bytes)
	p.bytes = ""
	if p.held != "" || p.begun {
		p.read(p.held, true)
		p.held, p.begun = "", false
	}
	p.to.close()
}

// read reads as much of the line as it can, and keeps the rest in held.
func (p *parser) read(line string, final bool) {
	if !p.begun {
		if p.fence != "" {
			p.readCode(line, final)
			return
		}
		rest, known := p.begin(line, final)
		if !known {
			return
		}
		line, p.begun = rest, true
	}
	if final {
		trimmed := strings.TrimRight(line, " \t")
		p.hard = strings.HasSuffix(line, "  ") || strings.HasSuffix(trimmed, `\`) && !strings.HasSuffix(trimmed, `\\`)
		if line = trimmed; p.hard {
			line = strings.TrimSuffix(trimmed, `\`)
		}
	}
	n := inline(line, p.prev, final, 0, p.to.text)
	if n > 0 {
		p.prev, _ = utf8.DecodeLastRuneInString(line[:n])
	}
	p.held = line[n:]
}

// readCode takes a line of code, or the fence that ends it.
func (p *parser) readCode(line string, final bool) {
	if !final {
		return
	}
	trimmed := strings.TrimSpace(line)
	p.held = ""
	if len(trimmed) >= len(p.fence) && strings.Trim(trimmed, p.fence[:1]) == "" {
		p.fence = ""
		return
	}
	p.to.text(span{text: line, style: monospace, end: true})
}

var (
	headingMark = regexp.MustCompile(`^(#{1,6})(?:[ \t]+|$)`)
	itemMark    = regexp.MustCompile(`^([-*+]|\d{1,9}[.)])(?:[ \t]+|$)`)
	fenceMark   = regexp.MustCompile("^(`{3,}|~{3,})[^`]*$")
	partialMark = regexp.MustCompile("^(?:#{1,6}[ \\t]*|[-+][ \\t]*|\\d{1,9}[.)]?[ \\t]*|>[ \\t]*|[-\\t ]+|[*\\t ]+|[_\\t ]+|`{1,2}|~{1,2}|```.*|~~~.*|\\|.*)$")
	ruleMark    = regexp.MustCompile(`^(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$`)
)

// begin finds what a line is, opens its block, and returns what is to read of it.
func (p *parser) begin(line string, final bool) (rest string, known bool) {
	text := strings.TrimLeft(line, " \t")
	if text == "" {
		if final {
			p.blank, p.isOpen = true, false
		}
		return "", final
	}
	if !final && partialMark.MatchString(text) {
		return "", false
	}
	indent := len(strings.ReplaceAll(line[:len(line)-len(text)], "\t", "    "))
	if m := fenceMark.FindStringSubmatch(text); m != nil && final {
		p.fence = m[1]
		p.open(block{kind: code, level: p.depth(indent)})
		return "", true
	}
	if ruleMark.MatchString(text) && final {
		p.indents = nil
		p.open(block{kind: rule})
		return "", true
	}
	return p.beginText(text, indent), true
}

// beginText begins a line that holds text, behind its mark if it has one.
func (p *parser) beginText(text string, indent int) string {
	if m := headingMark.FindStringSubmatch(text); m != nil {
		p.indents = nil
		p.open(block{kind: heading, level: len(m[1])})
		return text[len(m[0]):]
	}
	if m := itemMark.FindStringSubmatch(text); m != nil {
		for len(p.indents) > 0 && p.indents[len(p.indents)-1] >= indent {
			p.indents = p.indents[:len(p.indents)-1]
		}
		p.indents = append(p.indents, indent)
		marker := m[1]
		if len(marker) == 1 {
			marker = "•"
		}
		p.open(block{kind: item, level: len(p.indents) - 1, marker: marker})
		return text[len(m[0]):]
	}
	b, rest := block{kind: paragraph}, text
	switch text[0] {
	case '>':
		b.kind, rest = quote, strings.TrimLeft(text[1:], " \t")
	case '|':
		b.kind, rest = row, cells(text)
		if rest == "" { // the line below the head of a table
			p.isOpen = false
			return ""
		}
	}
	if p.isOpen && (b.kind == paragraph || b.kind == quote && p.last == quote) {
		p.to.text(span{text: " ", end: p.hard})
		return rest
	}
	if b.kind == paragraph {
		b.level = p.depth(indent)
	} else {
		p.indents = nil
	}
	p.open(b)
	return rest
}

// depth is how deep in lists a line of that indent stands. A line that is not
// indented ends them.
func (p *parser) depth(indent int) int {
	for len(p.indents) > 0 && p.indents[len(p.indents)-1] >= indent {
		p.indents = p.indents[:len(p.indents)-1]
	}
	return len(p.indents)
}

func (p *parser) open(b block) {
	b.loose = p.blank && p.started
	p.to.open(b)
	p.last, p.blank, p.hard, p.started = b.kind, false, false, true
	p.isOpen = b.kind == paragraph || b.kind == item || b.kind == quote
}

// cells shows a row of a table as text.
func cells(text string) string {
	list := strings.Split(strings.Trim(strings.TrimSpace(text), "|"), "|")
	var kept []string
	for _, c := range list {
		if c = strings.TrimSpace(c); strings.Trim(c, ":-") != "" {
			kept = append(kept, c)
		}
	}
	return strings.Join(kept, " │ ")
}
