package source

import (
	"bufio"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/neorag/neorag/internal/text"
)

// delimiters are the characters that may separate the fields of a row, the most
// common first.
var delimiters = []rune{',', ';', '\t', '|'}

// noDelimiter separates the fields of a table with one column, whose texts may have any delimiter.
const noDelimiter = '\x1f'

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
	var caption []string
	for range titleRows(string(head[skipped:]), comma, r) {
		in.next()
		row, err := rows.Read()
		if err != nil {
			return err
		}
		r.nextRow(in.line, in.lastLine())
		caption = append(caption, captionLine(row))
	}
	in.next()
	header, err := csvHeader(rows, r, caption)
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
// be read. Empty fields may be missing at its end, or be there in addition. Empty rows are skipped.
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
	case len(row) > len(header) && strings.TrimSpace(strings.Join(row[len(header):], "")) != "":
		r.fail(first, fmt.Errorf("row has %d fields, header has %d%s", len(row), len(header), lost))
		return nil
	}
	values := make(map[string]string, len(row))
	for i, value := range row[:min(len(row), len(header))] {
		if strings.TrimSpace(value) != "" {
			values[header[i]] = strings.Clone(strings.ReplaceAll(value, `\"`, `"`)) // \" is what some programs write
		}
	}
	if len(values) == 0 {
		return nil
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
	rows.TrimLeadingSpace = comma != '\t' // before a quotation mark
	return rows
}

// csvHeader reads the names of the fields from the next row. The lines of the caption are above it.
func csvHeader(rows *csv.Reader, r *records, caption []string) ([]string, error) {
	first, err := rows.Read()
	if errors.Is(err, io.EOF) {
		return nil, errors.New("empty: the first line must name the columns")
	}
	if err != nil {
		return nil, err
	}
	header, err := r.setHeader(first)
	caption = slices.DeleteFunc(caption, func(line string) bool { return line == "" })
	if len(caption) > 0 && err == nil {
		r.beginTable(r.base.Title, header).caption = caption
	}
	return header, err
}

// titleRows returns the number of rows above the header in the first bytes of a text: those with one
// cell in the first column, as spreadsheets write titles above tables. The header is a row of as many
// fields, or, after lines that are not part of the table, a row like the one after it.
func titleRows(head string, comma rune, r *records) int {
	rows := csvReader(strings.NewReader(head), comma)
	width := 0 // of the rows above
	for n := range sniffedRows {
		row, err := rows.Read()
		if err != nil {
			return 0
		}
		_, hasText := r.column(slices.Clone(row), "text")
		filled := len(row)
		for _, cell := range row {
			if strings.TrimSpace(cell) == "" {
				filled--
			}
		}
		switch columns := len(row); {
		case n == 0 && (filled != 1 || hasText || row[0] == ""):
			return 0
		case filled < 2 && (n == 0 || columns == width):
			width = columns
		case columns == width && width > 2:
			return n
		case width > 1 || columns < 3 && !hasText:
			return 0
		default:
			if after, err := rows.Read(); err != nil || len(after) != columns {
				return 0
			}
			return n
		}
	}
	return 0
}

// captionLine returns the text of a row above a header.
func captionLine(row []string) string {
	return text.OneLine(strings.Join(row, " "))
}

// setHeader takes the names of the columns. Without a column for the text, rows become texts.
func (r *records) setHeader(first []string) ([]string, error) {
	if len(first) > maxColumns {
		return nil, fmt.Errorf("%d columns, more than %d", len(first), maxColumns)
	}
	header := make([]string, len(first))
	for i, name := range first {
		header[i] = cmp.Or(strings.TrimSpace(name), "column "+strconv.Itoa(i+1))
	}
	header = distinctNames(header)
	r.order = header
	if len(header) == 1 && r.fields["text"] == "" && !r.sheets {
		r.fields["text"] = header[0]
	}
	_, ok := r.column(header, "text")
	r.composed = !ok && r.fields["text"] == "" && (len(header) > 1 || r.sheets)
	if !ok && !r.composed {
		return nil, fmt.Errorf("no column %q: name the column that holds the text with --field text=NAME; columns are %s", r.field("text"), quoteNames(header))
	}
	return header, nil
}

// delimiter detects what separates the fields in the first bytes of a text: the
// character that makes the text column appear in the header, else the one that splits
// the most of the first rows into as many fields as the header has, else the one with the most fields. With one field in the header it is noDelimiter.
func delimiter(head string, r *records) rune {
	best, most, widest := noDelimiter, 0, 0
	for _, comma := range delimiters {
		rows := csvReader(strings.NewReader(head), comma)
		for range titleRows(head, comma, r) {
			_, _ = rows.Read() // titleRows has read them
		}
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
		if score > most || score == most && columns >= widest {
			best, most, widest = comma, score, columns
		}
	}
	return best
}
