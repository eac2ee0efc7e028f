package markdown

import (
	"slices"
	"strings"
	"unicode"

	"github.com/yuin/goldmark/ast"
	table "github.com/yuin/goldmark/extension/ast"
)

// Bounds of a terminal's width, in columns: longer lines are hard to read.
const (
	minWidth = 8
	maxWidth = 120
)

const (
	escapeReset = "\x1b[0m" // ends all styles
	escapeCode  = "\x1b[36m"
)

// escapes begin the styles of a terminal.
var escapes = []struct {
	style  style
	escape string
}{{bold, "\x1b[1m"}, {italic, "\x1b[3m"}, {monospace, escapeCode}, {refers, "\x1b[2m"}}

// Terminal returns a text as a terminal shows it, with a line break at the end
// unless it is empty. No line is wider than width; widths below 8 count as 8, above
// 120 as 120.
func Terminal(text string, width int) string {
	var b strings.Builder
	w := NewWriter(width, func(s string) { b.WriteString(s) })
	w.Write(text)
	w.Close()
	return b.String()
}

// A screen wraps and styles leaves.
type screen struct{ source []byte }

func (s *screen) lines(l leaf, width int) []string {
	if code, ok := codeLines(l.Node, s.source); ok {
		return wrapCode(code, width)
	}
	switch n := l.Node.(type) {
	case *ast.ThematicBreak:
		return []string{strings.Repeat("─", min(width, 40))}
	case *ast.Heading:
		return wrap(cells(spans(n, s.source), bold), width)
	case *table.Table:
		var lines []string
		for row := n.FirstChild(); row != nil; row = row.NextSibling() {
			var columns []span
			last := 0 // the end of the last column that is not empty
			for column := row.FirstChild(); column != nil; column = column.NextSibling() {
				if column != row.FirstChild() {
					columns = append(columns, span{text: " │ "})
				}
				if text := spans(column, s.source); len(text) > 0 {
					columns = append(columns, text...)
					last = len(columns)
				}
			}
			lines = append(lines, wrap(cells(columns[:last], 0), width)...)
		}
		return lines
	}
	return wrap(cells(spans(l.Node, s.source), 0), width)
}

// A cell is a character with its style.
type cell struct {
	r     rune
	style style
}

// isBlank reports whether a line may end at a cell, which is then not shown.
func isBlank(c cell) bool { return c.r == ' ' || c.r == '\n' }

// cells returns the characters of a text, with one space for any white space, and hard
// line breaks. base is added to each style.
func cells(text []span, base style) []cell {
	var all []cell
	for _, s := range text {
		for _, r := range s.text {
			if s.text != "\n" && unicode.IsSpace(r) && r != '\u00a0' {
				if r = ' '; len(all) == 0 || isBlank(all[len(all)-1]) {
					continue
				}
			}
			all = append(all, cell{r, s.style | base})
		}
	}
	return all
}

// wrap returns a text on lines that fit: at least one line. A word is broken only if
// it is wider than a line.
func wrap(text []cell, width int) []string {
	var lines []string
	for len(text) > 0 || lines == nil {
		end, space, column := 0, 0, 0
		for ; end < len(text) && text[end].r != '\n'; end++ {
			if text[end].r == ' ' {
				space = end
			} else if column+runeWidth(text[end].r) > width {
				break
			}
			column += runeWidth(text[end].r)
		}
		if end < len(text) && text[end].r != '\n' && space > 0 {
			end = space
		}
		line := text[:end]
		for len(line) > 0 && isBlank(line[len(line)-1]) {
			line = line[:len(line)-1]
		}
		lines = append(lines, styled(line))
		if text = text[end:]; len(text) > 0 && isBlank(text[0]) {
			text = text[1:]
		}
	}
	return lines
}

// styled returns a line with the escapes of its styles.
func styled(line []cell) string {
	var b strings.Builder
	var current style
	for _, c := range append(slices.Clip(line), cell{}) {
		if c.style != current && current != 0 {
			b.WriteString(escapeReset)
		}
		for _, e := range escapes {
			if c.style != current && c.style&e.style != 0 {
				b.WriteString(e.escape)
			}
		}
		if current = c.style; c.r != 0 {
			b.WriteRune(c.r)
		}
	}
	return b.String()
}

// wrapCode returns code on lines that fit, indented and otherwise as they are.
func wrapCode(code []string, width int) []string {
	var lines []string
	for _, line := range code {
		line = strings.TrimRight(strings.ReplaceAll(line, "\t", "    "), " ")
		for first := true; first || line != ""; first = false {
			part := Fit(line, width-2)
			if line = line[len(part):]; part != "" {
				part = escapeCode + part + escapeReset
			}
			lines = append(lines, "  "+part)
		}
	}
	return lines
}
