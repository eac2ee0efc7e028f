package evalimport

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// A Path leads to values in JSON: the names of fields, separated by dots. In a list a name leads
// to the field of each element, and a number to one element, from 0. "*" leads to all elements of
// a list or values of an object, and "[name]" keeps objects whose field of that name is true. A
// backslash before a dot or a backslash makes it a part of a name.
type Path struct {
	text  string
	steps []string
}

// The limits of a path.
const (
	maxPath  = 1000 // bytes
	maxSteps = 32
)

var errNoPath = errors.New("a name is missing")

// ParsePath reads a path.
func ParsePath(text string) (Path, error) {
	if len(text) > maxPath {
		return Path{}, fmt.Errorf("path of %d bytes: use at most %d", len(text), maxPath)
	}
	p := Path{text: text}
	var step strings.Builder
	for i := 0; i <= len(text); i++ {
		switch {
		case i == len(text) || text[i] == '.':
			if step.Len() == 0 {
				return Path{}, fmt.Errorf("path %q: %w", text, errNoPath)
			}
			p.steps = append(p.steps, step.String())
			step.Reset()
		case text[i] == '\\' && i+1 < len(text):
			i++
			step.WriteByte(text[i])
		default:
			step.WriteByte(text[i])
		}
	}
	if len(p.steps) > maxSteps {
		return Path{}, fmt.Errorf("path %q has %d names: use at most %d", text, len(p.steps), maxSteps)
	}
	return p, nil
}

// String returns the path as it was given.
func (p Path) String() string { return p.text }

// A found is a value that a path leads to, with the key by which "*" reached it in an object.
type found struct {
	value any
	key   string
}

// Values returns the values that the path leads to in a decoded JSON value, in order.
func (p Path) Values(v any) []any {
	var out []any
	for _, f := range p.find(v) {
		out = append(out, f.value)
	}
	return out
}

func (p Path) find(v any) []found {
	at := []found{{value: v}}
	for _, step := range p.steps {
		var next []found
		for _, f := range at {
			next = append(next, follow(f, step)...)
		}
		at = next
	}
	return at
}

// follow returns the values to which one step leads.
func follow(from found, step string) []found {
	switch v := from.value.(type) {
	case map[string]any:
		return followObject(v, from, step)
	case []any:
		if i, err := strconv.Atoi(step); err == nil && i >= 0 {
			if i < len(v) {
				return []found{{v[i], from.key}}
			}
			return nil
		}
		var out []found
		for _, element := range v {
			f := found{element, from.key}
			if step == "*" {
				out = append(out, f)
			} else {
				out = append(out, follow(f, step)...)
			}
		}
		return out
	}
	return nil
}

func followObject(v map[string]any, from found, step string) []found {
	if step == "*" {
		var out []found
		for _, key := range sortedKeys(v) {
			out = append(out, found{v[key], key})
		}
		return out
	}
	if name, ok := strings.CutPrefix(step, "["); ok && strings.HasSuffix(name, "]") {
		if keep, _ := v[strings.TrimSuffix(name, "]")].(bool); keep {
			return []found{from}
		}
		return nil
	}
	if value, ok := v[step]; ok {
		return []found{{value, from.key}}
	}
	return nil
}

// sortedKeys returns the keys of an object; numbers come first, by their value.
func sortedKeys(v map[string]any) []string {
	number := func(key string) (int, bool) {
		n, err := strconv.Atoi(key)
		return n, err == nil
	}
	return slices.SortedFunc(maps.Keys(v), func(a, b string) int {
		m, isA := number(a)
		n, isB := number(b)
		switch {
		case isA && isB && m != n:
			return m - n
		case isA != isB:
			return map[bool]int{true: -1, false: 1}[isA]
		}
		return strings.Compare(a, b)
	})
}

// fieldsOf describes what is in a value, for a message about a path that leads nowhere.
func fieldsOf(v any) string {
	const shown = 20
	switch v := v.(type) {
	case map[string]any:
		keys := sortedKeys(v)
		if len(keys) > shown {
			keys = append(keys[:shown], "...")
		}
		return "an object with the fields " + strings.Join(keys, ", ")
	case []any:
		if len(v) > 0 {
			return "a list, the first element is " + fieldsOf(v[0])
		}
		return "an empty list"
	case string:
		return "a string"
	case json.Number:
		return "a number"
	case bool:
		return "true or false"
	}
	return "null"
}
