package source

import (
	"context"
	"strings"

	"github.com/neorag/neorag/internal/graph"
)

var _ = register(format{
	mime:       "text/markdown",
	extensions: []string{".md", ".markdown", ".mdown", ".mkd"},
	read:       readMarkdown,
})

// readMarkdown keeps the text as it is written, without its front matter.
func readMarkdown(_ context.Context, raw []byte, doc graph.Document, with parsing) (graph.Document, []Failure, error) {
	text, err := decodeText(raw, with)
	if err != nil {
		return doc, nil, err
	}
	setText(&doc, text)
	if doc.Metadata["title"] == "" {
		if title := firstHeading(doc.Text); title != "" {
			doc.Title = title
		}
	}
	return doc, nil, nil
}

// firstHeading returns the first heading of level one outside code blocks, or "".
func firstHeading(text string) string {
	fence := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		mark := line[:len(line)-len(strings.TrimLeft(line, "`"))]
		if mark == "" {
			mark = line[:len(line)-len(strings.TrimLeft(line, "~"))]
		}
		switch {
		case fence != "":
			if strings.HasPrefix(mark, fence) && mark == line {
				fence = ""
			}
		case len(mark) >= 3:
			fence = mark
		case strings.HasPrefix(line, "# "):
			title := strings.TrimSpace(line[2:])
			if bare := strings.TrimRight(title, "#"); strings.HasSuffix(bare, " ") {
				title = strings.TrimSpace(bare)
			}
			if title = trimEmphasis(title); title != "" {
				return title
			}
		}
	}
	return ""
}

// trimEmphasis removes emphasis around the whole title.
func trimEmphasis(title string) string {
	for _, mark := range []string{"**", "__", "*", "_", "`"} {
		inner, front := strings.CutPrefix(title, mark)
		inner, back := strings.CutSuffix(inner, mark)
		if front && back && !strings.Contains(inner, mark) {
			return inner
		}
	}
	return title
}
