package source

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"unicode"
	"unicode/utf8"

	"github.com/neorag/neorag/internal/source/decode"
)

// readJSONLines makes a document of each line.
func readJSONLines(text io.Reader, r *records) error {
	buffered := bufio.NewReaderSize(withoutNaN(text), decode.StreamBuffer)
	head, err := buffered.Peek(decode.Sniffed)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if isIndented(head) {
		return readJSON(buffered, r)
	}
	r.tabular = true
	lines := jsonLines{text: buffered, limit: r.limit}
	for n := 1; ; n++ {
		line, size, err := lines.next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case size > r.limit:
			r.failSize(n, size, "")
		case size > 0:
			r.row = n - 1
			if err := addJSON(r, n, json.RawMessage(line)); err != nil {
				return err
			}
		}
	}
}

// isIndented reports whether the values of a text have several lines: the first line only opens one.
func isIndented(head []byte) bool {
	first, _, _ := bytes.Cut(bytes.TrimLeft(head, " \t\n"), []byte("\n"))
	return len(bytes.TrimSpace(first)) == 1 && (first[0] == '{' || first[0] == '[')
}

// jsonLines reads lines that may have any length.
type jsonLines struct {
	text  *bufio.Reader
	limit int
	line  []byte
}

// next returns a line without the white space around it, and its size in bytes. It
// keeps no more of the line than the limit. The line is valid until the next call.
// The error is io.EOF after the last line that is not blank.
func (l *jsonLines) next() (line []byte, size int, err error) {
	buffered, _ := l.text.Peek(l.text.Buffered()) // nearly always the line
	if end := bytes.IndexByte(buffered, '\n'); end >= 0 {
		_, err = l.text.Discard(end + 1)
		line = bytes.TrimSpace(buffered[:end])
		return line, len(line), err
	}
	l.line = l.line[:0]
	for read := 0; ; {
		c, n, err := l.text.ReadRune()
		if last := read > 0 && errors.Is(err, io.EOF); last || err == nil && c == '\n' {
			return l.line[:min(size, len(l.line))], size, nil
		}
		if err != nil {
			return nil, 0, err
		}
		space := unicode.IsSpace(c)
		if space && read == 0 {
			continue
		}
		if read += n; read <= l.limit {
			l.line = utf8.AppendRune(l.line, c)
		}
		if !space {
			size = read
		}
	}
}
