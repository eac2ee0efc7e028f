package markup

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/source/decode"
	"github.com/neorag/neorag/internal/source/parse"
)

// A notebook is what is read of a Jupyter notebook. The source of a cell is a text or a list of
// lines.
type notebook struct {
	Cells    []notebookCell `json:"cells"`
	Metadata struct {
		Title    string `json:"title"`
		Language struct {
			Name string `json:"name"`
		} `json:"language_info"`
	} `json:"metadata"`
}

type notebookCell struct {
	Kind   string          `json:"cell_type"`
	Source json.RawMessage `json:"source"`
}

// ReadNotebook keeps texts and code, without what the code printed.
func ReadNotebook(_ context.Context, raw []byte, doc graph.Document, with parse.Options) (graph.Document, []parse.Failure, error) {
	text, err := decode.Text(raw, with.Encoding)
	if err != nil {
		return doc, nil, err
	}
	var n notebook
	if err := json.Unmarshal([]byte(text), &n); err != nil {
		return doc, nil, fmt.Errorf("not a notebook: %w", parse.FirstLine(err))
	}
	if n.Cells == nil {
		return doc, nil, errors.New("no cells: not a notebook of version 4")
	}
	var parts []string
	for _, c := range n.Cells {
		source := strings.TrimSpace(c.text())
		switch {
		case source == "":
		case c.Kind == "code":
			fence := "```"
			for strings.Contains(source, fence) {
				fence += "`"
			}
			parts = append(parts, fence+n.Metadata.Language.Name+"\n"+source+"\n"+fence)
		default:
			parts = append(parts, source)
		}
	}
	doc.Text = decode.Clean(strings.Join(parts, "\n\n"))
	doc.Title = cmp.Or(decode.CleanLine(n.Metadata.Title), parse.FirstTitle(MarkdownHeadings(doc.Text)), doc.Title)
	return doc, nil, nil
}

func (c notebookCell) text() string {
	var lines []string
	if json.Unmarshal(c.Source, &lines) == nil {
		return strings.Join(lines, "")
	}
	var text string
	_ = json.Unmarshal(c.Source, &text) // other values have none
	return text
}
