package evalimport

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// The limits of a file.
const (
	maxItem  = 256 << 20 // bytes of one value at the top level, or of one element of a list there
	maxItems = 1_000_000
)

// An item is one question as the file has it.
type item struct {
	value any
	key   string // the field of an object that holds it; "" for none
	where string // for messages
}

// eachItem calls yield for each item of a file: the elements of a list at the top level, or the
// values of a sequence of JSON values (JSONL). With a path, the items are what it leads to.
func eachItem(r io.Reader, path *Path, yield func(item) error) error {
	in := &reader{r: r, left: maxItem}
	d := json.NewDecoder(in)
	list, err := startsList(d, in)
	if err != nil {
		return err
	}
	if list = list && path == nil; list {
		if _, err := d.Token(); err != nil {
			return err
		}
	}
	for n := 1; d.More() || !list; {
		in.left = maxItem
		v, line, err := nextValue(d, in)
		if errors.Is(err, io.EOF) && !list {
			return nil
		}
		if err != nil {
			return fmt.Errorf("line %d: item %d: not valid JSON: %w", line, n, err)
		}
		items := []item{{v, "", fmt.Sprintf("item %d (line %d)", n, line)}}
		if path != nil {
			if items, err = itemsBelow(*path, v, n); err != nil {
				return fmt.Errorf("line %d: %w", line, err)
			}
		}
		if n += len(items); n > maxItems+1 {
			return fmt.Errorf("more than %d questions: split the file", maxItems)
		}
		for _, it := range items {
			if err := yield(it); err != nil {
				return err
			}
		}
	}
	if _, err := d.Token(); err != nil {
		return fmt.Errorf("line %d: the list does not end: %w", in.line(d.InputOffset()), err)
	}
	return nil
}

// nextValue returns the next JSON value, and the line on which it begins.
func nextValue(d *json.Decoder, in *reader) (v any, line int, err error) {
	var raw json.RawMessage
	if err := d.Decode(&raw); err != nil {
		return nil, in.line(d.InputOffset()), err
	}
	line = in.line(d.InputOffset() - int64(len(raw)))
	value := json.NewDecoder(bytes.NewReader(raw))
	value.UseNumber()
	err = value.Decode(&v)
	return v, line, err
}

// itemsBelow returns the items to which a path leads in a value; the first is the nth of the file. A
// path to a single list leads to its elements.
func itemsBelow(path Path, v any, n int) ([]item, error) {
	of := path.find(v)
	if len(of) == 1 {
		if list, ok := of[0].value.([]any); ok {
			of = Path{steps: []string{"*"}}.find(list)
		}
	}
	if len(of) == 0 {
		return nil, fmt.Errorf("--items %s leads to nothing: the value is %s", path, fieldsOf(v))
	}
	items := make([]item, len(of))
	for i, f := range of {
		items[i] = item{f.value, f.key, fmt.Sprintf("item %d", n+i)}
	}
	return items, nil
}

// startsList reports whether the first value is a list.
func startsList(d *json.Decoder, in *reader) (bool, error) {
	if in.first == 0 {
		d.More() // reads the beginning
	}
	if in.err != nil && !errors.Is(in.err, io.EOF) {
		return false, in.err
	}
	return in.first == '[', nil
}

// errTooLong means that an item is longer than maxItem.
var errTooLong = fmt.Errorf("longer than %d bytes", maxItem)

// A reader limits what is read for one item, skips a byte order mark, and counts lines.
type reader struct {
	r     io.Reader
	left  int // bytes for the current item
	err   error
	first byte // that is not a space, 0 before it was read

	read  int64   // bytes
	ends  []int64 // offsets of the ends of lines that were read and not yet counted
	lines int     // counted
}

func (r *reader) Read(p []byte) (int, error) {
	if r.left <= 0 {
		return 0, errTooLong
	}
	n, err := r.r.Read(p[:min(len(p), r.left)])
	r.left -= n
	if r.read == 0 && n >= 3 && string(p[:3]) == "\uFEFF" {
		copy(p, "   ")
	}
	for i, c := range p[:n] {
		if c == '\n' {
			r.ends = append(r.ends, r.read+int64(i))
		}
		if r.first == 0 && c != ' ' && c != '\t' && c != '\r' && c != '\n' {
			r.first = c
		}
	}
	r.read += int64(n)
	if err != nil {
		r.err = err
	}
	return n, err
}

// line returns the number of the line of an offset, which must not be smaller than an earlier one.
func (r *reader) line(offset int64) int {
	for len(r.ends) > 0 && r.ends[0] < offset {
		r.ends = r.ends[1:]
		r.lines++
	}
	return r.lines + 1
}
