package evalimport

import (
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
	d.UseNumber()
	inList := false
	for n := 1; ; {
		if !d.More() && inList {
			break
		}
		in.left = maxItem
		if first, err := startsList(d, in); path == nil && n == 1 && !inList && err == nil && first {
			if _, err := d.Token(); err != nil {
				return err
			}
			inList = true
			continue
		}
		var v any
		err := d.Decode(&v)
		if errors.Is(err, io.EOF) && !inList {
			break
		}
		line := in.line(d.InputOffset())
		if err != nil {
			return fmt.Errorf("line %d: item %d: not valid JSON: %w", line, n, err)
		}
		of := []found{{value: v}}
		if path != nil {
			if of = path.find(v); len(of) == 1 {
				if list, ok := of[0].value.([]any); ok {
					of = (Path{steps: []string{"*"}}).find(list)
				}
			}
			if len(of) == 0 {
				return fmt.Errorf("line %d: --items %s leads to nothing: the value is %s", line, path, fieldsOf(v))
			}
		}
		for _, f := range of {
			if n > maxItems {
				return fmt.Errorf("more than %d questions: split the file", maxItems)
			}
			where := fmt.Sprintf("item %d (line %d)", n, line)
			if path != nil {
				where = fmt.Sprintf("item %d", n)
			}
			if err := yield(item{f.value, f.key, where}); err != nil {
				return err
			}
			n++
		}
	}
	if !inList {
		return nil
	}
	if _, err := d.Token(); err != nil {
		return fmt.Errorf("line %d: the list does not end: %w", in.line(d.InputOffset()), err)
	}
	return nil
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
