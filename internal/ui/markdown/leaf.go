package markdown

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// A leaf is a block without blocks inside: a paragraph, heading, code block, rule
// or table, or a quote or item that is empty.
type leaf struct {
	ast.Node

	first, rest string // prefixes of its first and its other lines: marks and indentation
	gap         string // prefix of the empty line before it
	blank       bool   // an empty line precedes it in the text
	item        bool   // it is the first leaf of an item
}

// A layout writes leaves line by line, with the marks of the quotes and items around
// them.
type layout struct {
	quote, bullet string
	indent        int                              // of the text of an item, at least
	listAfterText bool                             // a list may follow a paragraph without an empty line
	width         int                              // of a line; 0 if it does not matter
	lines         func(l leaf, width int) []string // the lines of a leaf, without their prefixes
	out           func(string)

	started bool // something is written
	tight   bool // and an item may follow it without an empty line
}

// write writes a leaf.
func (w *layout) write(l leaf) {
	if w.started && (l.blank || !l.item || !w.tight) {
		w.out(l.gap + "\n")
	}
	isText := l.Kind() == ast.KindParagraph || l.Kind() == ast.KindTextBlock
	w.started, w.tight = true, l.item || isText && w.listAfterText
	prefix := l.first
	for _, line := range w.lines(l, w.width-Width(l.rest)) {
		if line == "" {
			prefix = strings.TrimRight(prefix, " ")
		}
		w.out(prefix + line + "\n")
		prefix = l.rest
	}
}

// containers are the blocks of blocks.
var containers = []ast.NodeKind{ast.KindBlockquote, ast.KindList, ast.KindListItem}

// leaves appends the leaves below parent in order. at holds the prefixes there.
func (w *layout) leaves(to []leaf, parent ast.Node, source []byte, at leaf) []leaf {
	for child := parent.FirstChild(); child != nil; child = child.NextSibling() {
		at.Node = child
		at.blank = child.HasBlankPreviousLines() || at.blank && child.PreviousSibling() == nil
		below, first, rest := at, "", ""
		switch child.Kind() {
		case ast.KindBlockquote:
			first, rest = w.quote, w.quote
		case ast.KindListItem:
			first, below.item = w.bullet+" ", true
			if number := itemNumber(child, source); number != "" {
				first = number + string(child.Parent().(*ast.List).Marker) + " "
			}
			rest = strings.Repeat(" ", max(w.indent, Width(first)))
			// The item may begin on the line of an outer item.
			first = strings.Repeat(" ", max(0, Width(at.rest)-Width(at.first))) + first
		}
		if below.first, below.rest = at.first+first, at.rest+rest; Width(below.rest) > w.width/2 {
			below.first, below.rest = Fit(first, w.width/2), Fit(rest, w.width/2)
		}
		if slices.Contains(containers, child.Kind()) && child.HasChildren() {
			to = w.leaves(to, child, source, below)
		} else {
			to = append(to, below)
		}
		at.first, at.item, at.gap = at.rest, false, strings.TrimRight(at.rest, " ")
	}
	return to
}

// itemNumber returns the number of an item as the text has it, or "" for a bullet.
func itemNumber(item ast.Node, source []byte) string {
	list, ok := item.Parent().(*ast.List)
	if !ok || !list.IsOrdered() {
		return ""
	}
	rest := source[item.Pos():]
	if digits := len(rest) - len(bytes.TrimLeft(rest, "0123456789")); digits > 0 && digits < len(rest) && rest[digits] == list.Marker {
		return string(rest[:digits])
	}
	// goldmark's position is wrong after a tab.
	n := list.Start
	for item = item.PreviousSibling(); item != nil; item = item.PreviousSibling() {
		n++
	}
	return strconv.Itoa(n)
}

// codeLines returns the lines of a code block, and whether the block is one.
func codeLines(n ast.Node, source []byte) (lines []string, isCode bool) {
	if n.Kind() != ast.KindFencedCodeBlock && n.Kind() != ast.KindCodeBlock {
		return nil, false
	}
	return strings.Split(strings.TrimSuffix(string(n.Lines().Value(source)), "\n"), "\n"), true
}
