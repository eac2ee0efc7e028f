package evalreport

import (
	_ "embed" // page.html
	"fmt"
	"html/template"
	"io"

	"github.com/neorag/neorag/internal/text"
)

//go:embed page.html
var pageSource string

var page = template.Must(template.New("page").Parse(pageSource))

// WriteHTML writes plots and tables as one page, which loads nothing and runs nothing. Texts are
// escaped.
func (r Report) WriteHTML(w io.Writer, list []Table) error {
	shown := make([]Table, len(list))
	for i, t := range list {
		shown[i] = t.onOneLine()
	}
	err := page.Execute(w, struct {
		Title  string
		Plots  []plot
		Tables []Table
	}{fmt.Sprintf("Evaluation: %s, %s", text.Count(len(r.Conditions), "condition", "conditions"), text.Count(r.Questions, "question", "questions")), r.plots(), shown})
	if err != nil {
		return fmt.Errorf("write page of the evaluation: %w", err)
	}
	return nil
}

// onOneLine returns the table with each text on one line, without control characters.
func (t Table) onOneLine() Table {
	t.Title = oneLine(t.Title)
	t.Head, t.Notes = mapped(t.Head, oneLine), mapped(t.Notes, oneLine)
	t.Rows = mapped(t.Rows, func(cells []Cell) []Cell {
		return mapped(cells, func(c Cell) Cell { return Cell{oneLine(c.Text), c.Bold} })
	})
	return t
}

func mapped[T any](list []T, f func(T) T) []T {
	out := make([]T, len(list))
	for i, x := range list {
		out[i] = f(x)
	}
	return out
}
