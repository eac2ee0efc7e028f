package source

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
)

// skip passes over the value that was too long to decode, and returns its size. The
// next value is then decoded as usual. The value is not checked: it ends where its
// brackets and quotation marks do. The error is io.ErrUnexpectedEOF where it has no
// end.
func (in *jsonInput) skip(array bool) (size int, err error) {
	head, err := io.ReadAll(in.dec.Buffered())
	if err != nil {
		return 0, err
	}
	in.unread = append(bytes.TrimLeft(head, betweenValues), in.unread...)
	in.lines = in.line - 1
	var value jsonValue
	for ended := false; !ended; {
		err := in.fill()
		switch {
		case errors.Is(err, io.EOF) && value.isNumber():
			return value.size, in.restart(array)
		case errors.Is(err, io.EOF):
			return 0, io.ErrUnexpectedEOF
		case err != nil:
			return 0, err
		}
		var n int
		n, ended = value.scan(in.unread)
		in.lines += bytes.Count(in.unread[:n], []byte("\n"))
		in.unread = in.unread[n:]
	}
	return value.size, in.restart(array)
}

// restart begins a new decoder, after an element if there is an array.
func (in *jsonInput) restart(array bool) error {
	in.dec, in.given, in.last = json.NewDecoder(in), 0, nil
	in.found, in.size = true, 0
	if !array {
		return nil
	}
	in.unread = append([]byte("[0 "), in.unread...)
	if _, err := in.dec.Token(); err != nil {
		return err
	}
	var zero json.RawMessage
	return in.dec.Decode(&zero)
}

// A jsonValue finds the end of a value in its bytes.
type jsonValue struct {
	depth   int
	quoted  bool
	escaped bool
	size    int // bytes so far
}

// isNumber reports whether the bytes so far are a number: no other value
// without brackets and quotation marks is long.
func (v *jsonValue) isNumber() bool { return v.size > 0 && v.depth == 0 && !v.quoted }

// scan returns how many of the bytes belong to the value, and whether it ends there.
func (v *jsonValue) scan(b []byte) (n int, ended bool) {
	for i, c := range b {
		if v.isNumber() && strings.IndexByte("0123456789.eE+-", c) < 0 {
			return i, true
		}
		v.step(c)
		v.size++
		if closes := c == '"' || c == ']' || c == '}'; closes && v.depth == 0 && !v.quoted {
			return i + 1, true
		}
	}
	return len(b), false
}

// step follows strings and brackets.
func (v *jsonValue) step(c byte) {
	switch {
	case v.escaped:
		v.escaped = false
	case v.quoted && c == '\\':
		v.escaped = true
	case c == '"':
		v.quoted = !v.quoted
	case v.quoted:
	case c == '{' || c == '[':
		v.depth++
	case c == '}' || c == ']':
		v.depth--
	}
}
