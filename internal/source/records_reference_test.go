package source

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/source/decode"
	"github.com/neorag/neorag/internal/source/parse"
)

// readWhole is the definition of what a file of records holds: it does in memory,
// with the whole text at hand, what Documents does with a stream.
func readWhole(f File, o Options, limit int) (docs []graph.Document, failures []Failure, err error) {
	kind, _ := formatOf(f.URI)
	base := graph.Document{URI: f.URI, Title: parse.Stem(f.URI), MIME: kind.mime, Date: parse.DateInName(parse.Stem(f.URI))}
	r := newRecords(context.Background(), base, o, func(d graph.Document) error {
		docs = append(docs, d)
		return nil
	})
	r.limit = limit
	text, err := decode.Text(f.Content, "")
	if err == nil {
		err = map[string]func(string, *records) error{
			"text/csv": wholeCSV, "application/json": wholeJSON, "application/jsonl": wholeLines,
		}[kind.mime](text, r)
	}
	if err == nil {
		err = r.addTables()
	}
	if err != nil {
		return nil, nil, fmt.Errorf("read %s: %w", f.URI, err)
	}
	return docs, r.failures, nil
}

func wholeLines(text string, r *records) error {
	if isIndented([]byte(text[:min(len(text), decode.Sniffed)])) {
		return wholeJSON(text, r)
	}
	r.tabular = true
	text = nullForNaN(text)
	line := 0
	for s := range strings.Lines(text) {
		line++
		if s = strings.TrimSpace(s); s == "" {
			continue
		}
		r.row = line - 1
		if err := addJSON(r, line, json.RawMessage(s)); err != nil {
			return err
		}
	}
	return nil
}

func wholeCSV(text string, r *records) error {
	comma, skipped := separatorLine(text[:min(len(text), sniffedBytes)])
	before := min(skipped, 1) // lines
	text = text[skipped:]
	if skipped == 0 {
		comma = delimiter(text[:min(len(text), sniffedBytes)], r)
	}
	rows := csvReader(strings.NewReader(text), comma)
	from := 0 // where the next row begins, with the blank lines before it
	lines := func() (content string, first, last int) {
		raw := text[from:rows.InputOffset()]
		content = strings.TrimLeft(raw, "\n")
		first = before + 1 + strings.Count(text[:from], "\n") + len(raw) - len(content)
		from = int(rows.InputOffset())
		return content, first, first + strings.Count(strings.TrimSuffix(content, "\n"), "\n")
	}
	r.nextLine += before
	var caption []string
	for range titleRows(text[:min(len(text), sniffedBytes-skipped)], comma, r) {
		row, err := rows.Read()
		if err != nil {
			return err
		}
		_, first, last := lines()
		r.nextRow(first, last)
		caption = append(caption, captionLine(row))
	}
	header, err := csvHeader(rows, r, caption)
	if err != nil {
		return err
	}
	_, first, last := lines()
	r.nextRow(first, last)
	for {
		row, err := rows.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		content, first, last := lines()
		if err := addRow(r, header, row, first, last, strings.Count(content, `"`)); err != nil {
			return err
		}
	}
}

func wholeJSON(text string, r *records) error {
	text = nullForNaN(text)
	array := strings.HasPrefix(strings.TrimLeft(text, " \t\n"), "[")
	r.tabular = array
	dec := json.NewDecoder(strings.NewReader(text))
	if array {
		if _, err := dec.Token(); err != nil {
			return parse.FirstLine(err)
		}
	}
	// lineAt returns the line of the first value at or after the decoder's position.
	lineAt := func() int {
		at := int(dec.InputOffset())
		for at < len(text) && strings.IndexByte(betweenValues, text[at]) >= 0 {
			at++
		}
		return 1 + strings.Count(text[:at], "\n")
	}
	for n := 1; !array || dec.More(); n++ {
		line := lineAt()
		var element json.RawMessage
		err := dec.Decode(&element)
		switch {
		case !array && errors.Is(err, io.EOF):
			if n == 1 {
				return errors.New("empty: write an array of objects, or one object")
			}
			return nil
		case err != nil:
			return brokenJSON(r, n, line, err)
		}
		if err := addJSON(r, line, element); err != nil {
			return err
		}
	}
	if _, err := dec.Token(); err != nil {
		r.fail(lineAt(), errors.New("unterminated array"))
		return nil //nolint:nilerr // it is one of the failures
	}
	if strings.TrimSpace(text[dec.InputOffset():]) != "" {
		r.fail(lineAt(), errors.New("text after the array is ignored"))
	}
	return nil
}

// nullForNaN is withoutNaN for a text.
func nullForNaN(text string) string {
	out, err := io.ReadAll(withoutNaN(strings.NewReader(text)))
	if err != nil {
		panic(err)
	}
	return string(out)
}
