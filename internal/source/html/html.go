// Package html reads web pages as Markdown.
package html

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/base"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/commonmark"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/table"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/source/decode"
	"github.com/neorag/neorag/internal/source/markup"
	"github.com/neorag/neorag/internal/source/parse"
)

// maxNesting bounds how deep lists, quotes and similar elements may be nested: the
// converter processes the whole content of each level again.
const maxNesting = 16

// toMarkdown keeps the structure that chunks are split by: headings, lists and
// tables. Nothing is escaped, because the text is not rendered.
var toMarkdown = sync.OnceValue(func() *converter.Converter {
	c := converter.NewConverter(
		converter.WithEscapeMode(converter.EscapeModeDisabled),
		converter.WithPlugins(base.NewBasePlugin(), commonmark.NewCommonmarkPlugin(commonmark.WithListEndComment(false)), table.NewTablePlugin(
			table.WithCellPaddingBehavior(table.CellPaddingBehaviorMinimal), // spaces are tokens
			table.WithHeaderPromotion(true),
			table.WithSkipEmptyRows(true),
		)),
	)
	for _, block := range []string{"summary", "legend", "center", "menu", "search"} { // that the converter takes for a part of a line
		c.Register.TagType(block, converter.TagTypeBlock, converter.PriorityStandard)
	}
	c.Register.TextTransformer(func(_ converter.Context, s string) string { return hideMarks.Replace(s) }, converter.PriorityEarly)
	return c
})

// The converter escapes angle brackets, and a "#" at the end of a heading, even so: other
// characters replace them until it is done.
var (
	hideMarks = strings.NewReplacer("<", "\ue0f1", ">", "\ue0f2", "#", "\ue0f3")
	// invisible are the marks for the places where a word may be divided, and where it may not.
	invisible = strings.NewReplacer("\u00ad", "", "\u200b", "", "\u2060", "", "\ufeff", "")
	showMarks = strings.NewReplacer("\ue0f1", "<", "\ue0f2", ">", "\ue0f3", "#")
	// falseHeading matches a line of text that would be read as a heading.
	falseHeading = regexp.MustCompile(`(?m)^[ \t]*\x{e0f3}{1,6}[ \t]`)
	itemBreaks   = regexp.MustCompile(`\s*` + itemBreak + `\s*`)
)

// restoreMarks undoes what hideMarks did, and writes the breaks between the items of a cell.
func restoreMarks(markdown string) string {
	markdown = itemBreaks.ReplaceAllString(markdown, "; ")
	return showMarks.Replace(falseHeading.ReplaceAllStringFunc(markdown, func(s string) string {
		return strings.Replace(s, "\ue0f3", "\\#", 1)
	}))
}

// Read converts a page to Markdown. The parser refuses elements nested deeper
// than 512 levels, so that no page exhausts the stack.
func Read(_ context.Context, raw []byte, doc graph.Document, with parse.Options) (graph.Document, []parse.Failure, error) {
	page, err := decode.HTML(raw, with.Encoding)
	if err != nil {
		return doc, nil, err
	}
	if isXHTML(doc.URI, page) {
		page = closeElements(page)
	}
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		return doc, nil, fmt.Errorf("parse HTML: %w", err)
	}
	title, date := pageTitle(root), pageDate(root)
	writeFormulas(root)
	h := stripper{shown: controlledElements(root)}
	if !with.WholePage {
		dropBoilerplate(root)
	}
	h.strip(root, 0)
	markdown, err := toMarkdown().ConvertNode(root)
	if err != nil {
		return doc, nil, fmt.Errorf("convert HTML to Markdown: %w", err)
	}
	doc.Text = decode.Clean(invisible.Replace(restoreMarks(string(markdown))))
	doc.Title = cmp.Or(title, parse.FirstTitle(markup.MarkdownHeadings(doc.Text)), doc.Title)
	doc.Date = cmp.Or(date, parse.RefineDate(doc.Date, doc.Text))
	return doc, nil, nil
}

// pageTitle returns the title of a page, not of an SVG image in it.
func pageTitle(root *html.Node) string {
	for n := range root.Descendants() {
		if n.DataAtom == atom.Title && n.Namespace == "" && n.FirstChild != nil {
			return decode.CleanLine(invisible.Replace(n.FirstChild.Data))
		}
	}
	return ""
}
