package source

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math"
	"unicode"
)

// betweenValues are the bytes that separate values.
const betweenValues = " \t\n,"

// errLongValue ends the decoding of a value that is longer than the limit.
var errLongValue = errors.New("value too long")

// A jsonInput decodes the values of a text one after another. It gives the decoder
// a few bytes at a time, so that it knows on which line each value starts, and so
// that no value longer than the limit is in memory.
type jsonInput struct {
	text  io.Reader
	limit int
	err   error // of text, other than io.EOF

	dec    *json.Decoder
	chunk  [4096]byte
	unread []byte // read from text, not given to the decoder
	last   []byte // what the decoder got last
	given  int64  // bytes that the decoder got
	lines  int    // line ends in all text before unread

	found bool // the next value has started
	line  int  // where it starts, or the last line seen before it
	size  int  // bytes given to the decoder since it started
}

func newJSONInput(text io.Reader, limit int) *jsonInput {
	in := &jsonInput{text: text, limit: limit, line: 1}
	in.dec = json.NewDecoder(in)
	return in
}

// startArray reads the start of an array, if the text starts with one.
func (in *jsonInput) startArray() (array bool, err error) {
	in.await()
	if in.dec.More() { // it has skipped the white space
		array = in.ahead()[0] == '['
	}
	if array {
		_, err = in.dec.Token()
	}
	return array, err
}

// more reports whether the array has another element.
func (in *jsonInput) more() bool {
	in.await()
	return in.dec.More()
}

// Declared decodes the next value, and returns the line where it starts.
func (in *jsonInput) decode(value *json.RawMessage) (line int, err error) {
	in.await()
	err = in.dec.Decode(value)
	return in.valueLine(), err
}

// endArray reads the end of the array. It returns what is wrong after the last
// element, and where.
func (in *jsonInput) endArray() (line int, problem error) {
	if _, err := in.dec.Token(); err != nil {
		return in.valueLine(), errors.New("unterminated array")
	}
	in.await()
	in.limit = math.MaxInt
	after := bufio.NewReader(io.MultiReader(in.dec.Buffered(), in))
	for {
		c, _, err := after.ReadRune()
		if err != nil {
			return in.valueLine(), problem
		}
		if !unicode.IsSpace(c) {
			problem = errors.New("text after the array is ignored")
		}
	}
}

// ahead returns the bytes that the decoder has and has not used. They are in the
// last ones that it got: it reads more only when it has used the others.
func (in *jsonInput) ahead() []byte {
	return in.last[max(0, len(in.last)-int(in.given-in.dec.InputOffset())):]
}

// await begins the search for the start of the next value.
func (in *jsonInput) await() {
	ahead := in.ahead()
	in.line = 1 + in.lines - bytes.Count(ahead, []byte("\n"))
	in.found, in.size = false, 0
	in.watch(ahead)
}

// watch looks for the start of the next value in bytes that the decoder gets.
func (in *jsonInput) watch(b []byte) {
	if !in.found {
		rest := bytes.TrimLeft(b, betweenValues)
		in.line += bytes.Count(b[:len(b)-len(rest)], []byte("\n"))
		in.found = len(rest) > 0
		b = rest
	}
	in.size += len(b)
}

// valueLine returns the line where the next value starts, which the decoder may
// not have reached.
func (in *jsonInput) valueLine() int {
	for p := make([]byte, 512); !in.found; {
		if _, err := in.Read(p); err != nil {
			break
		}
	}
	return in.line
}

// Read gives bytes to the decoder.
func (in *jsonInput) Read(p []byte) (int, error) {
	if in.size > in.limit {
		return 0, errLongValue
	}
	for {
		if err := in.fill(); err != nil {
			return 0, err
		}
		if in.found {
			break
		}
		// The decoder would keep the white space before a value.
		rest := bytes.TrimLeft(in.unread, " \t\n")
		ends := bytes.Count(in.unread[:len(in.unread)-len(rest)], []byte("\n"))
		in.lines += ends
		in.line += ends
		if in.unread = rest; len(rest) > 0 {
			break
		}
	}
	n := copy(p, in.unread[:min(len(in.unread), len(in.chunk))])
	in.last = append(in.last[:0], in.unread[:n]...)
	in.unread = in.unread[n:]
	in.given += int64(n)
	in.lines += bytes.Count(in.last, []byte("\n"))
	in.watch(in.last)
	return n, nil
}

// fill makes sure that unread is not empty.
func (in *jsonInput) fill() error {
	for len(in.unread) == 0 {
		n, err := in.text.Read(in.chunk[:])
		in.unread = in.chunk[:n]
		if err != nil && n == 0 {
			if !errors.Is(err, io.EOF) {
				in.err = err
			}
			return err
		}
	}
	return nil
}
