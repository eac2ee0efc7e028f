// Package markdown renders the Markdown of models' answers and of reports: on a terminal,
// block by block while it arrives; as HTML; and as Markdown whose references are links.
//
// The text is never trusted. Control characters are removed, HTML is shown as
// text, links and images are shown as their text and address, and the only links
// are links of references such as [3].
package markdown

import (
	"bytes"
	"math"
	"regexp"
	"strconv"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// blocks reads CommonMark and tables, except for what would hide words or change blocks
// that are already shown: HTML, link definitions, and underlined headings (a line of
// dashes is always a rule).
var blocks = parser.NewParser(
	parser.WithBlockParsers(
		util.Prioritized(parser.NewThematicBreakParser(), 200),
		util.Prioritized(bounded{parser.NewListParser()}, 300),
		util.Prioritized(parser.NewListItemParser(), 400),
		util.Prioritized(parser.NewCodeBlockParser(), 500),
		util.Prioritized(parser.NewATXHeadingParser(), 600),
		util.Prioritized(parser.NewFencedCodeBlockParser(), 700),
		util.Prioritized(bounded{parser.NewBlockquoteParser()}, 800),
		util.Prioritized(parser.NewParagraphParser(), 1000),
	),
	parser.WithInlineParsers(
		util.Prioritized(parser.NewCodeSpanParser(), 100),
		util.Prioritized(referenceParser{}, 150),
		util.Prioritized(links{parser.NewLinkParser()}, 200),
		util.Prioritized(emphasis{parser.NewEmphasisParser()}, 500),
	),
	parser.WithParagraphTransformers(util.Prioritized(tables{extension.NewTableParagraphTransformer()}, 200)),
	parser.WithASTTransformers(util.Prioritized(extension.NewTableASTTransformer(), 0)),
)

// parse reads the blocks of a text that was sanitized. The nodes refer to it.
func parse(source []byte) ast.Node { return blocks.Parse(text.NewReader(source)) }

// tables reads tables, unless a row has more cells than the line of dashes: goldmark
// would drop them.
type tables struct{ parser.ParagraphTransformer }

func (t tables) Transform(node *ast.Paragraph, reader text.Reader, pc parser.Context) {
	columns := math.MaxInt
	for _, segment := range node.Lines().Sliced(0, node.Lines().Len()) {
		line := bytes.ReplaceAll(bytes.Trim(segment.Value(reader.Source()), " \t\n"), []byte(`\|`), nil)
		line = bytes.TrimSuffix(bytes.TrimPrefix(line, []byte("|")), []byte("|"))
		n := bytes.Count(line, []byte("|"))
		if n > columns {
			return
		}
		if columns == math.MaxInt && len(line) > 0 && len(bytes.Trim(line, "|:- \t")) == 0 {
			columns = n
		}
	}
	t.ParagraphTransformer.Transform(node, reader, pc)
}

// A reference is a number in brackets, such as [3].
type reference struct {
	ast.BaseInline

	text string
	n    int
}

var kindReference = ast.NewNodeKind("Reference")

func (r *reference) Kind() ast.NodeKind            { return kindReference }
func (r *reference) Dump(source []byte, level int) { ast.DumpHelper(r, source, level, nil, nil) }

type referenceParser struct{}

var referencePattern = regexp.MustCompile(`^\[(\d{1,6})\]`)

func (referenceParser) Trigger() []byte { return []byte{'['} }

func (referenceParser) Parse(_ ast.Node, block text.Reader, _ parser.Context) ast.Node {
	line, _ := block.PeekLine()
	m := referencePattern.FindSubmatch(line[:min(len(line), len("[123456]"))])
	if m == nil {
		return nil
	}
	n, err := strconv.Atoi(string(m[1]))
	if err != nil || n == 0 {
		return nil
	}
	block.Advance(len(m[0]))
	return &reference{text: string(m[0]), n: n}
}
