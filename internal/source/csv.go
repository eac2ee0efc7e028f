package source

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

var _ = register(format{
	mime:       "text/csv",
	extensions: []string{".csv", ".tsv"},
	records:    readCSV,
})

// delimiters are the characters that may separate the fields of a row, the most
// common first.
var delimiters = []rune{',', ';', '\t', '|'}

const (
	sniffedRows  = 20       // that decide the delimiter
	sniffedBytes = 64 << 10 // that decide the delimiter
	maxColumns   = 10_000
)

// readCSV makes a document of each row. The first row names the fields.
func readCSV(raw []byte, r *records) error {
	text, err := decodeText(raw)
	if err != nil {
		return err
	}
	rows := csvReader(text, delimiter(text, r))
	header, err := csvHeader(rows, r)
	if err != nil {
		return err
	}
	for n := 1; ; n++ {
		row, err := rows.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		var bad *csv.ParseError
		switch {
		case errors.As(err, &bad):
			r.fail(bad.StartLine, fmt.Errorf("column %d on line %d: %w", bad.Column, bad.Line, bad.Err))
			continue
		case err != nil:
			return err
		}
		line, _ := rows.FieldPos(0)
		if len(row) != len(header) {
			r.fail(line, fmt.Errorf("row has %d fields, header has %d", len(row), len(header)))
			continue
		}
		values := make(map[string]string, len(row))
		for i, value := range row {
			if strings.TrimSpace(value) != "" {
				values[header[i]] = strings.Clone(value)
			}
		}
		if err := r.add(n, line, values); err != nil {
			return err
		}
	}
}

// csvReader returns a reader that reuses its row.
func csvReader(text string, comma rune) *csv.Reader {
	rows := csv.NewReader(strings.NewReader(text))
	rows.Comma = comma
	rows.FieldsPerRecord = -1 // the caller checks the number
	rows.ReuseRecord = true
	return rows
}

// csvHeader reads the names of the fields from the first row.
func csvHeader(rows *csv.Reader, r *records) ([]string, error) {
	first, err := rows.Read()
	if errors.Is(err, io.EOF) {
		return nil, errors.New("empty: the first line must name the columns")
	}
	if err != nil {
		return nil, fmt.Errorf("the first line must name the columns: %w", firstLine(err))
	}
	if len(first) > maxColumns {
		return nil, fmt.Errorf("%d columns, more than %d", len(first), maxColumns)
	}
	header := make([]string, len(first))
	seen := make(map[string]int, len(first))
	for i, name := range first {
		name = strings.TrimSpace(name)
		if name == "" {
			name = "column " + strconv.Itoa(i+1)
		}
		if other, duplicate := seen[name]; duplicate {
			return nil, fmt.Errorf("columns %d and %d are both named %q", other+1, i+1, name)
		}
		seen[name] = i
		header[i] = name
	}
	if _, ok := r.column(header, "text"); !ok {
		return nil, fmt.Errorf("no column %q: name the column that holds the text with --field text=NAME; columns are %s", r.field("text"), quoteNames(header))
	}
	return header, nil
}

// delimiter detects what separates the fields: the character that makes the text
// column appear in the header, else the one that splits the most of the first rows
// into as many fields as the header has.
func delimiter(text string, r *records) rune {
	head := text[:min(len(text), sniffedBytes)]
	best, most := delimiters[0], 0
	for _, comma := range delimiters {
		rows := csvReader(head, comma)
		first, err := rows.Read()
		if err != nil || len(first) < 2 {
			continue
		}
		columns, score := len(first), 1
		if _, ok := r.column(slices.Clone(first), "text"); ok {
			score += 2 * sniffedRows
		}
		for range sniffedRows {
			if row, err := rows.Read(); err == nil && len(row) == columns {
				score++
			}
		}
		if score > most {
			best, most = comma, score
		}
	}
	return best
}
