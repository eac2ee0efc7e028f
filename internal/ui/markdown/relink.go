package markdown

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	table "github.com/yuin/goldmark/extension/ast"

	short "github.com/neorag/neorag/internal/text"
	"github.com/neorag/neorag/internal/text/sanitize"
)

// maxNesting is the width of a layout that only bounds nesting.
const maxNesting = 400

// Relink returns a text as Markdown that every reader renders the same way: its blocks
// and emphasis, no HTML, and no links except links of references, where href returns an
// address for their number; href may be nil. Headings begin at level shift + 1.
func Relink(text string, shift int, href func(n int) string) string {
	var b strings.Builder
	source := []byte(sanitize.Controls(text))
	r := &relinker{source: source, shift: shift, href: href}
	w := layout{quote: "> ", bullet: "-", indent: 4, width: maxNesting, lines: r.lines, out: func(s string) { b.WriteString(s) }}
	for _, l := range w.leaves(nil, parse(source), source, leaf{}) {
		w.write(l)
	}
	return b.String()
}

type relinker struct {
	source []byte
	shift  int
	href   func(n int) string
}

func (r *relinker) lines(l leaf, _ int) []string {
	if code, ok := codeLines(l.Node, r.source); ok {
		fence := fenceFor(strings.Join(code, "\n"), "```")
		return append(append([]string{fence}, code...), fence)
	}
	switch n := l.Node.(type) {
	case *ast.ThematicBreak:
		return []string{"---"}
	case *ast.Heading:
		return []string{strings.Repeat("#", min(n.Level+r.shift, 6)) + " " + r.inline(n)[0]}
	case *table.Table:
		return r.table(n)
	}
	return r.inline(l.Node)
}

func (r *relinker) table(n *table.Table) []string {
	var lines []string
	for row := n.FirstChild(); row != nil; row = row.NextSibling() {
		var cells []string
		for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
			cells = append(cells, r.inline(cell)[0])
		}
		if lines = append(lines, "| "+strings.Join(cells, " | ")+" |"); len(lines) == 1 {
			lines = append(lines, "|"+strings.Repeat(" --- |", len(cells)))
		}
	}
	return lines
}

// escaper escapes characters that have a meaning anywhere in a line.
var escaper = strings.NewReplacer(`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", `\<`, ">", `\>`, "&", `\&`, "|", `\|`, "!", `\!`)

// blockMark matches what would open a block at the start of a line.
var blockMark = regexp.MustCompile(`^(?:([#+\-=~])|(\d+)([.)]))`)

// inline returns the text of a block by line, at least one.
func (r *relinker) inline(n ast.Node) []string {
	var lines []string
	var b strings.Builder
	endLine := func() {
		lines = append(lines, escapeStart(b.String()))
		b.Reset()
	}
	var open style // the emphasis
	emphasize := func(to style) {
		if to != open {
			b.WriteString(stars[open] + stars[to])
			open = to
		}
	}
	for _, s := range spans(n, r.source) {
		if s.text == "\n" {
			b.WriteByte('\\')
			endLine()
			continue
		}
		emphasize(s.style & (bold | italic))
		b.WriteString(r.span(s, n.Kind() == table.KindTableCell))
	}
	emphasize(0)
	endLine()
	return lines
}

var stars = map[style]string{italic: "*", bold: "**", bold | italic: "***"}

func (r *relinker) span(s span, inCell bool) string {
	if s.n > 0 && r.href != nil {
		if to := r.href(s.n); to != "" {
			return `[\[` + strconv.Itoa(s.n) + `\]](` + to + ")"
		}
	}
	if s.style&monospace == 0 {
		return escaper.Replace(s.text)
	}
	fence, code := fenceFor(s.text, "`"), s.text
	if strings.HasPrefix(code, "`") || strings.HasSuffix(code, "`") {
		code = " " + code + " "
	}
	if inCell {
		code = strings.ReplaceAll(code, "|", `\|`)
	}
	return fence + code + fence
}

// fenceFor returns a run of backticks that text does not contain, at least as long
// as least.
func fenceFor(text, least string) string {
	run, longest := 0, 0
	for i := range len(text) {
		if run++; text[i] != '`' {
			run = 0
		}
		longest = max(longest, run)
	}
	if longest < len(least) {
		return least
	}
	return strings.Repeat("`", longest+1)
}

// escapeStart escapes the mark of a block at the start of a line.
func escapeStart(line string) string { return blockMark.ReplaceAllString(line, `$2\$1$3`) }

// Escape returns Markdown that shows a text as it is, on one line.
func Escape(text string) string { return escapeStart(EscapeInline(text)) }

// EscapeInline returns what Escape does of a text that is not at the start of a line, such as in a
// cell of a table.
func EscapeInline(text string) string {
	return escaper.Replace(short.OneLine(sanitize.Controls(text)))
}
