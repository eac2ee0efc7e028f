package source

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// A rowReader gives a csv.Reader the lines of a text one by one, so that nothing
// after the current row has been read, and no row longer than the limit is in memory.
type rowReader struct {
	text  *bufio.Reader
	limit int
	part  []byte // of a line, not given to the csv.Reader
	lines int    // line ends given

	line    int  // where the row starts
	size    int  // bytes of the row read so far, without blank lines before it
	quotes  int  // quotation marks among them
	newline bool // the last byte read ends a line
	refused bool // the csv.Reader did not get all of the row
}

// next begins a row.
func (r *rowReader) next() { r.line, r.size, r.quotes, r.refused = 0, 0, 0, false }

func (r *rowReader) Read(p []byte) (int, error) {
	if r.size > r.limit {
		r.refused = true
		return 0, fmt.Errorf("row has more than %d bytes: a quotation mark may be missing", r.limit)
	}
	if len(r.part) == 0 {
		if err := r.readPart(); err != nil {
			return 0, err
		}
	}
	n := copy(p, r.part)
	r.part = r.part[n:]
	return n, nil
}

// readPart reads the next line, or a part of a long one.
func (r *rowReader) readPart() (err error) {
	r.part, err = r.text.ReadSlice('\n')
	if len(r.part) == 0 {
		return err
	}
	if r.size > 0 || r.part[0] != '\n' {
		if r.size == 0 {
			r.line = r.lines + 1
		}
		r.size += len(r.part)
		r.quotes += bytes.Count(r.part, []byte(`"`))
	}
	if r.newline = r.part[len(r.part)-1] == '\n'; r.newline {
		r.lines++
	}
	return nil // an error after these bytes comes again
}

// lastLine returns the last line of the row.
func (r *rowReader) lastLine() int {
	if r.newline {
		return r.lines
	}
	return r.lines + 1
}

// skip passes over the rest of a row that is too long: up to the end of a line
// outside quotation marks.
func (r *rowReader) skip() error {
	for r.refused && (!r.newline || r.quotes%2 == 1) {
		if err := r.readPart(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return err
		}
	}
	r.part = nil
	return nil
}
