package markdown

import (
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// The limits keep the time that reading takes proportional to the length of the text,
// whatever it says: goldmark reads nested blocks, links without an end and emphasis
// without an end in quadratic time. What is beyond a limit is shown as it is written.
const (
	maxDepth       = 32   // of blocks in blocks
	maxFailedLinks = 100  // brackets in a block that end no link
	maxEmphasis    = 1000 // marks of emphasis in a block
)

// A bounded block is not opened beyond maxDepth.
type bounded struct{ parser.BlockParser }

func (b bounded) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	depth := 0
	for n := parent; n != nil; n = n.Parent() {
		if depth++; depth > maxDepth {
			return nil, parser.NoChildren
		}
	}
	return b.BlockParser.Open(parent, reader, pc)
}

// links reads links until maxFailedLinks were none.
type links struct{ parser.InlineParser }

var failedLinks = parser.NewContextKey()

func (l links) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	failed, _ := pc.Get(failedLinks).(int)
	if failed >= maxFailedLinks {
		return nil
	}
	line, _ := block.PeekLine()
	n := l.InlineParser.Parse(parent, block, pc)
	if n == nil && line[0] == ']' {
		pc.Set(failedLinks, failed+1)
	}
	return n
}

func (l links) CloseBlock(parent ast.Node, block text.Reader, pc parser.Context) {
	pc.Set(failedLinks, nil)
	l.InlineParser.(parser.CloseBlocker).CloseBlock(parent, block, pc)
}

// emphasis reads maxEmphasis marks.
type emphasis struct{ parser.InlineParser }

var emphasisMarks = parser.NewContextKey()

func (e emphasis) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	marks, _ := pc.Get(emphasisMarks).(int)
	if marks >= maxEmphasis {
		return nil
	}
	pc.Set(emphasisMarks, marks+1)
	return e.InlineParser.Parse(parent, block, pc)
}

func (e emphasis) CloseBlock(_ ast.Node, _ text.Reader, pc parser.Context) {
	pc.Set(emphasisMarks, nil)
}
