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
	"unicode/utf8"
)

var _ = register(format{
	mime:        "text/csv",
	extensions:  []string{".csv"},
	textVersion: "3",
	records:     readCSV,
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
	comma, skipped := separatorLine(string(head))
	if _, err := buffered.Discard(skipped); err != nil {
		return err
	}
	if skipped == 0 {
		comma = delimiter(string(head), r)
	}
	in := &rowReader{text: buffered, limit: r.limit, lines: min(skipped, 1)}
	r.nextLine += in.lines
	rows := csvReader(in, comma)
	header, err := csvHeader(rows, r)
	if err != nil {
		return err
	}
	r.nextRow(in.line, in.lastLine())
	for {
		in.next()
		row, err := rows.Read()
		if in.size > r.limit {
			if err := in.skip(); err != nil {
				return err
			}
			r.nextRow(in.line, in.lastLine())
			r.failSize(in.line, in.size, ": a quotation mark may be missing")
			continue
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := addRow(r, header, row, in.line, in.lastLine(), in.quotes); err != nil {
			return err
		}
	}
}

// addRow adds a row from its lines and the number of its quotation marks, or notes why it cannot
// be read.
func addRow(r *records, header, row []string, first, last, quotes int) error {
	r.nextRow(first, last)
	lost := ""
	if last > first {
		lost = fmt.Sprintf("; lines %d to %d are lost", first, last)
	}
	switch {
	case last > first && quotes%2 == 1:
		r.fail(first, errors.New("a quotation mark is not closed"+lost))
		return nil
	case len(row) != len(header):
		r.fail(first, fmt.Errorf("row has %d fields, header has %d%s", len(row), len(header), lost))
		return nil
	}
	values := make(map[string]string, len(row))
	for i, value := range row {
		if strings.TrimSpace(value) != "" {
			values[header[i]] = strings.Clone(strings.ReplaceAll(value, `\"`, `"`)) // \" is what some programs write
		}
	}
	return r.add(first, values, r.composed)
}

// separatorLine returns the delimiter that the first line of a file names, as Excel writes it, and
// the length of that line; 0 if there is none.
func separatorLine(head string) (comma rune, length int) {
	line, _, found := strings.Cut(head, "\n")
	named, ok := strings.CutPrefix(strings.ToLower(strings.TrimRight(line, "\r")), "sep=")
	if comma, size := utf8.DecodeRuneInString(named); found && ok && size == len(named) && slices.Contains(delimiters, comma) {
		return comma, len(line) + 1
	}
	return 0, 0
}

// csvReader returns a reader that reuses its row.
func csvReader(text io.Reader, comma rune) *csv.Reader {
	rows := csv.NewReader(text)
	rows.Comma = comma
	rows.FieldsPerRecord = -1 // the caller checks the number
	rows.LazyQuotes = true    // addRow checks them
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
		return nil, err
	}
	return r.setHeader(first)
}

// setHeader takes the names of the columns. Without a column for the text, rows become texts.
func (r *records) setHeader(first []string) ([]string, error) {
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
	r.order = header
	_, ok := r.column(header, "text")
	r.composed = !ok && r.fields["text"] == "" && (len(header) > 1 || r.sheets)
	if !ok && !r.composed {
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
