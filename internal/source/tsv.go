package source

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
)

// readTSV makes a document of each line. Quotation marks are characters like others, except around
// a whole field, as some programs write it.
func readTSV(text io.Reader, r *records) error {
	lines := bufio.NewScanner(text)
	lines.Buffer(nil, r.limit)
	var header []string
	n := 0
	for lines.Scan() {
		n++
		if strings.TrimSpace(lines.Text()) == "" {
			continue
		}
		row := strings.Split(lines.Text(), "\t")
		for i, field := range row {
			row[i] = unquoted(field)
		}
		if header == nil {
			var err error
			if header, err = r.setHeader(row); err != nil {
				return err
			}
			r.nextRow(n, n)
		} else if err := addRow(r, header, row, n, n, 0); err != nil {
			return err
		}
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return fmt.Errorf("line %d has more than %d bytes", n+1, r.limit)
	case err != nil:
		return err
	case header == nil:
		return errors.New("empty: the first line must name the columns")
	}
	return nil
}

// unquoted returns a field without the quotation marks around it, if those in it are doubled.
func unquoted(field string) string {
	inner, front := strings.CutPrefix(field, `"`)
	inner, back := strings.CutSuffix(inner, `"`)
	if !front || !back || strings.Contains(strings.ReplaceAll(inner, `""`, ""), `"`) {
		return field
	}
	return strings.ReplaceAll(inner, `""`, `"`)
}
