package source

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

var (
	_ = register(format{mime: "application/json", extensions: []string{".json"}, records: readJSON})
	_ = register(format{mime: "application/jsonl", extensions: []string{".jsonl", ".ndjson"}, records: readJSONLines})
)

const (
	maxJSONDepth  = 64
	maxJSONRecord = 16 << 20 // bytes
)

// readJSON makes a document of each element of an array, or of each of the objects
// that follow one another without an array.
func readJSON(raw []byte, r *records) error {
	text, err := decodeText(raw)
	if err != nil {
		return err
	}
	array := strings.HasPrefix(strings.TrimLeft(text, " \t\n"), "[")
	dec := json.NewDecoder(strings.NewReader(text))
	if array {
		if _, err := dec.Token(); err != nil {
			return firstLine(err)
		}
	}
	at := lineCounter{text: text, line: 1}
	for n := 1; !array || dec.More(); n++ {
		line := at.next(int(dec.InputOffset()))
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
		if err := addJSON(r, n, line, element); err != nil {
			return err
		}
	}
	if _, err := dec.Token(); err != nil {
		r.fail(at.next(int(dec.InputOffset())), errors.New("unterminated array"))
		return nil //nolint:nilerr // it is one of the failures
	}
	if rest := strings.TrimSpace(text[dec.InputOffset():]); rest != "" {
		r.fail(at.next(int(dec.InputOffset())), errors.New("text after the array is ignored"))
	}
	return nil
}

// brokenJSON returns an error where the first element cannot be parsed: the file
// is not JSON. It notes a later element as a failure, and the rest of the file is
// not read, since nothing shows where the next element starts.
func brokenJSON(r *records, n, line int, err error) error {
	if n == 1 {
		return fmt.Errorf("line %d: %w", line, firstLine(err))
	}
	r.fail(line, fmt.Errorf("%w; the rest of the file is ignored", firstLine(err)))
	return nil
}

// readJSONLines makes a document of each line.
func readJSONLines(raw []byte, r *records) error {
	text, err := decodeText(raw)
	if err != nil {
		return err
	}
	line := 0
	for s := range strings.Lines(text) {
		line++
		if s = strings.TrimSpace(s); s == "" {
			continue
		}
		if err := addJSON(r, line, line, json.RawMessage(s)); err != nil {
			return err
		}
	}
	return nil
}

// addJSON adds an object, or notes why it cannot be read.
func addJSON(r *records, n, line int, raw json.RawMessage) error {
	if len(raw) > maxJSONRecord {
		r.fail(line, fmt.Errorf("record has %d bytes, more than %d", len(raw), maxJSONRecord))
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
		r.fail(line, firstLine(err))
		return nil
	}
	values := make(map[string]string, len(object))
	for name, value := range object {
		if s := jsonText(value); s != "" {
			values[name] = s
		}
	}
	return r.add(n, line, values)
}

// jsonText returns a string value as it is, "" for null, and the compact JSON of
// any other value.
func jsonText(raw json.RawMessage) string {
	raw = bytes.TrimSpace(raw)
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
	depth, quoted := 0, false
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			if depth++; depth > n {
				return true
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	return false
}

// A lineCounter converts ascending byte offsets into line numbers.
type lineCounter struct {
	text string
	at   int
	line int
}

// next returns the line of the first value at or after an offset.
func (l *lineCounter) next(from int) int {
	for from < len(l.text) && strings.IndexByte(" \t\n,", l.text[from]) >= 0 {
		from++
	}
	if from > l.at {
		l.line += strings.Count(l.text[l.at:from], "\n")
		l.at = from
	}
	return l.line
}
