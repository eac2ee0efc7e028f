package source

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/neorag/neorag/internal/source/parse"
)

const maxJSONDepth = 64

// readJSON makes a document of each element of an array, or of each of the objects
// that follow one another without an array.
func readJSON(text io.Reader, r *records) error {
	in := newJSONInput(withoutNaN(text), r.limit)
	array, err := in.startArray()
	if err != nil {
		return err
	}
	r.tabular = array
	var element json.RawMessage
	for n := 1; !array || in.more(); n++ {
		line, err := in.decode(&element)
		switch {
		case in.err != nil:
			return in.err
		case errors.Is(err, errLongValue):
			size, err := in.skip(array)
			if errors.Is(err, io.ErrUnexpectedEOF) {
				return brokenJSON(r, n, line, err)
			}
			if err != nil {
				return err
			}
			r.row++
			r.failSize(line, size, "")
			continue
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
	line, problem := in.endArray()
	if problem != nil && in.err == nil {
		r.fail(line, problem)
	}
	return in.err
}

// brokenJSON returns an error where the first element cannot be parsed: the file
// is not JSON. It notes a later element as a failure, and the rest of the file is
// not read, since nothing shows where the next element starts.
func brokenJSON(r *records, n, line int, err error) error {
	if n == 1 {
		return fmt.Errorf("line %d: %w", line, parse.FirstLine(err))
	}
	r.fail(line, fmt.Errorf("%w; the rest of the file is ignored", parse.FirstLine(err)))
	return nil
}

// addJSON adds an object, or notes why it cannot be read.
func addJSON(r *records, line int, raw json.RawMessage) error {
	r.row++
	if len(raw) > r.limit {
		r.failSize(line, len(raw), "")
		return nil
	}
	if nestedDeeper(raw, maxJSONDepth) {
		r.fail(line, fmt.Errorf("nested deeper than %d levels", maxJSONDepth))
		return nil
	}
	var object map[string]json.RawMessage
	if err := json.Unmarshal(raw, &object); err != nil || object == nil {
		if _, wrong := errors.AsType[*json.UnmarshalTypeError](err); wrong || err == nil {
			err = errors.New("not a JSON object")
		}
		r.fail(line, parse.FirstLine(err))
		return nil
	}
	r.addNested(object)
	r.addChat(object)
	names := slices.Sorted(maps.Keys(object))
	body, hasText := r.column(names, "text")
	if list := listOfObjects(object); list != nil && !hasText && !r.tabular {
		return addList(r, line, list)
	}
	id, _ := r.column(names, "id")
	r.order = r.order[:0]
	values := make(map[string]string, len(object))
	for _, name := range names {
		s := jsonText(object[name])
		switch {
		case s == "":
			continue
		case name == id:
			s = wholeNumber(s)
		case name == body && hasText:
			s = partsText(object[name], s)
		}
		values[name] = s
		r.order = append(r.order, name)
	}
	return r.add(line, values, !hasText && r.fields["text"] == "")
}

// listOfObjects returns the elements of the only list of objects in an object that wraps its records,
// such as {"data": [...], "total": 2}, or nil.
func listOfObjects(object map[string]json.RawMessage) []json.RawMessage {
	var found []json.RawMessage
	for _, value := range object {
		var list []json.RawMessage
		if json.Unmarshal(value, &list) != nil || len(list) == 0 || list[0][0] != '{' {
			continue
		}
		if found != nil {
			return nil
		}
		found = list
	}
	return found
}

// addList adds the records of an object that wraps them, which starts on a line.
func addList(r *records, line int, list []json.RawMessage) error {
	r.tabular = true
	r.row = 0
	for _, element := range list {
		if err := addJSON(r, line, element); err != nil {
			return err
		}
	}
	return nil
}

// wholeNumber returns a number such as 7.0 or 1e3, which programs write for whole numbers, in
// digits alone.
func wholeNumber(s string) string {
	if n, err := strconv.ParseFloat(s, 64); err == nil && n == math.Trunc(n) && math.Abs(n) < 1e15 && strings.ContainsAny(s, ".eE") {
		return strconv.FormatInt(int64(n), 10)
	}
	return s
}

// jsonText returns a string value as it is, "" for null, and the compact JSON of
// any other value. Of an object such as {"$date": ...}, as databases write values, it is the value.
func jsonText(raw json.RawMessage) string {
	raw = bytes.TrimSpace(raw)
	if bytes.HasPrefix(raw, []byte(`{"$`)) {
		if found := leavesOf("", string(raw)); len(found) == 1 {
			return found[0].value
		}
	}
	if len(raw) == 0 || string(raw) == "null" {
		return ""
	}
	if raw[0] == '"' {
		var s string
		if json.Unmarshal(raw, &s) == nil {
			return s
		}
	}
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return ""
	}
	return b.String()
}

// nestedDeeper reports whether objects and arrays are nested deeper than n levels.
func nestedDeeper(raw []byte, n int) bool {
	var at jsonValue
	for _, c := range raw {
		if at.step(c); at.depth > n {
			return true
		}
	}
	return false
}
