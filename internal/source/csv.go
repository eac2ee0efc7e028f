package source

import (
	"bufio"
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
func readCSV(text io.Reader, r *records) error {
	buffered := bufio.NewReaderSize(text, sniffedBytes)
	head, err := buffered.Peek(sniffedBytes)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	in := &rowReader{text: buffered, limit: r.limit}
	rows := csvReader(in, delimiter(string(head), r))
	header, err := csvHeader(rows, r)
	if err != nil {
		return err
	}
	for {
		in.next()
		row, err := rows.Read()
		if in.size > r.limit {
			if err := in.skip(); err != nil {
				return err
			}
			r.failSize(in.line, in.size, ": a quotation mark may be missing")
			continue
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		var bad *csv.ParseError
		switch {
		case errors.As(err, &bad):
			r.fail(in.line, fmt.Errorf("column %d on line %d: %w", bad.Column, bad.Line-bad.StartLine+in.line, bad.Err))
			continue
		case err != nil:
			return err
		}
		if len(row) != len(header) {
			r.fail(in.line, fmt.Errorf("row has %d fields, header has %d", len(row), len(header)))
			continue
		}
		values := make(map[string]string, len(row))
		for i, value := range row {
			if strings.TrimSpace(value) != "" {
				values[header[i]] = strings.Clone(value)
			}
		}
		if err := r.add(in.line, values); err != nil {
			return err
		}
	}
}

// csvReader returns a reader that reuses its row.
func csvReader(text io.Reader, comma rune) *csv.Reader {
	rows := csv.NewReader(text)
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
	if _, broken := errors.AsType[*csv.ParseError](err); broken {
		return nil, fmt.Errorf("the first line must name the columns: %w", firstLine(err))
	}
	if err != nil {
		return nil, err
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

// delimiter detects what separates the fields in the first bytes of a text: the
// character that makes the text column appear in the header, else the one that splits
// the most of the first rows into as many fields as the header has.
func delimiter(head string, r *records) rune {
	best, most := delimiters[0], 0
	for _, comma := range delimiters {
		rows := csvReader(strings.NewReader(head), comma)
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
