package synth

import (
	"strings"

	"github.com/neorag/neorag/internal/text/language"
	"github.com/neorag/neorag/internal/text/textproc"
)

// readRows sets the cells of the rows of tables. The names of the columns count as words of each row, and the
// row that has them is not an answer.
func readRows(l language.Language, facts []fact, blocks []Block) {
	var columns []string
	last := -1 // the block of the row before, -1 for none
	for i := range facts {
		f := &facts[i]
		if f.chat || f.Code {
			last = -1
			continue
		}
		text := blocks[f.block].Text
		values := textproc.PipeCells(quoteIn(text, f.Sentence))
		switch {
		case len(values) < 2:
			f.cells, last = textproc.LabelledCells(f.Text), -1
			continue
		case f.block != last:
			columns, last = nil, f.block
			if below := strings.TrimLeft(text[f.Quote.End:], " |\n"); strings.HasPrefix(below, "-") || strings.HasPrefix(below, ":-") {
				columns, f.columns = values, true
			}
			continue
		}
		for n, value := range values[:min(len(values), len(columns))] {
			if value != "" {
				f.cells, f.bare = append(f.cells, textproc.Cell{Column: columns[n], Value: value}), true
				f.terms.Add(textproc.TermsIn(l, columns[n])...)
			}
		}
	}
}

// splitRows splits the statements of a text that are several rows of a table: sentence ends join long lines.
func splitRows(text string, statements []Sentence) []Sentence {
	var out []Sentence
	for _, s := range statements {
		raw := quoteIn(text, s)
		if !strings.HasPrefix(raw, "|") || !strings.Contains(raw, "\n|") {
			out = append(out, s)
			continue
		}
		at := s.Quote.Start
		for line := range strings.Lines(raw) {
			row := s
			row.Quote = textproc.Span{Start: at, End: at + len(strings.TrimRight(line, " \n"))}
			row.Text = textproc.Unmarked(text[row.Quote.Start:row.Quote.End])
			out, at = append(out, row), at+len(line)
		}
	}
	return out
}

// quoteIn returns the words of a text that a sentence quotes, "" for one without a quote.
func quoteIn(text string, s Sentence) string {
	return text[min(s.Quote.Start, len(text)):min(s.Quote.End, len(text))]
}

// rowText returns a row of a table with the names of its columns.
func rowText(cells []textproc.Cell) string {
	parts := make([]string, len(cells))
	for i, c := range cells {
		parts[i] = c.Value
		if c.Column != "" {
			parts[i] = c.Column + ": " + c.Value
		}
	}
	return strings.Join(parts, ", ")
}
