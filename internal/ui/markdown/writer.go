package markdown

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	table "github.com/yuin/goldmark/extension/ast"

	"github.com/neorag/neorag/internal/text/sanitize"
)

// A Writer shows a text on a terminal while it arrives: each block, and each item
// of a list, as soon as it is complete. That is after an empty line, or when the
// next one begins.
type Writer struct {
	layout layout
	screen screen
	line   []byte // the last line, while it is incomplete
	text   []byte // the lines that are not shown yet, or needed to read on
	shown  int    // leaves of text that are shown
	parsed int    // length of text when it was last parsed
}

// NewWriter returns a Writer that passes what it shows to out. For width see Terminal.
func NewWriter(width int, out func(string)) *Writer {
	w := &Writer{}
	w.layout = layout{quote: "│ ", bullet: "•", listAfterText: true, width: min(max(width, minWidth), maxWidth), lines: w.screen.lines, out: out}
	return w
}

// longBlock is the length of a block that is only parsed again when it has grown by an
// eighth.
const longBlock = 4 << 10

// Write takes the next piece of the text.
func (w *Writer) Write(piece string) {
	w.line = append(w.line, piece...)
	if !strings.Contains(piece, "\n") {
		return
	}
	end := bytes.LastIndexByte(w.line, '\n') + 1
	w.text = append(w.text, sanitize.Controls(string(w.line[:end]))...)
	w.line = append(w.line[:0], w.line[end:]...)
	// A block is not parsed again for each of its lines, and a long one, such as a list
	// with empty lines between its items, not for each empty line.
	if len(w.text) > w.parsed+w.parsed/8 || w.parsed < longBlock && w.afterBlank() {
		w.show(false)
	}
}

// Close shows what is left.
func (w *Writer) Close() {
	w.text = append(w.text, sanitize.Controls(string(w.line))...)
	w.show(true)
}

// show shows the blocks that no later text can change, or all of them, and drops
// the text that is no longer needed.
func (w *Writer) show(all bool) {
	doc := parse(w.text)
	// Later text can change the last block that follows an empty line, and what it touches.
	start := len(w.text)
	if last := doc.LastChild(); last != nil && !all && !w.complete(last) {
		first := last
		for first.PreviousSibling() != nil && !first.HasBlankPreviousLines() {
			first = first.PreviousSibling()
		}
		start = bytes.LastIndexByte(w.text[:first.Pos()], '\n') + 1
		if last.Kind() == ast.KindList && last.ChildCount() > 1 {
			last = last.LastChild()
		}
		if before := last.PreviousSibling(); last.Kind() == table.KindTable && before != nil && before.Kind() == ast.KindParagraph {
			doc.RemoveChild(doc, before) // one paragraph again if a row has too many cells
		}
		last.Parent().RemoveChild(last.Parent(), last)
	}
	w.screen.source = w.text
	kept := 0
	for i, l := range w.layout.leaves(nil, doc, w.text, leaf{}) {
		if i >= w.shown {
			w.layout.write(l)
		}
		if l.Pos() >= start {
			kept++
		}
	}
	w.shown, w.text = kept, w.text[start:]
	w.parsed = len(w.text)
}

// afterBlank reports whether the last line is empty.
func (w *Writer) afterBlank() bool { return bytes.HasSuffix(w.text, []byte("\n\n")) }

// complete reports whether the next line cannot be a part of the last block.
func (w *Writer) complete(last ast.Node) bool {
	switch last.Kind() {
	case ast.KindHeading, ast.KindThematicBreak:
		return true
	case ast.KindList, ast.KindCodeBlock, ast.KindFencedCodeBlock:
		return false
	}
	return w.afterBlank()
}
