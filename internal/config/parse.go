package config

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/neorag/neorag/internal/config/yaml"
)

// maxFileSize bounds a file of settings, in bytes.
const maxFileSize = 64 << 10

// A fileValue is the value of a key in a file: one item, or the items of a List,
// Pairs or Parameters.
type fileValue struct {
	Items []string
	Line  int
}

// parseFile reads the text of a file. Keys without a value are left out: they keep
// their defaults. The error joins one for each mistake, in the order of lines; no
// error shows a value, since somebody may have pasted a key there.
func parseFile(file, text string, keys []Key) (map[string]fileValue, error) {
	if len(text) > maxFileSize {
		return nil, fmt.Errorf("%s: larger than %d bytes", file, maxFileSize)
	}
	root, err := yaml.Parse(text)
	if err != nil {
		if syntax, ok := errors.AsType[*yaml.SyntaxError](err); ok && syntax.Line > 0 {
			return nil, fmt.Errorf("%s:%d: %s", file, syntax.Line, syntax.Message)
		}
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	p := &parser{file: file, keys: map[string]Key{}, sections: map[string]bool{}, values: map[string]fileValue{}}
	for _, k := range keys {
		p.names = append(p.names, k.Name)
		p.keys[k.Name] = k
		for i, c := range k.Name {
			if section := k.Name[:i]; c == '.' && !p.sections[section] {
				p.sections[section] = true
				p.names = append(p.names, section)
			}
		}
	}
	p.section("", root)
	return p.values, errors.Join(p.errs...)
}

type parser struct {
	file     string
	keys     map[string]Key
	sections map[string]bool
	names    []string // of keys and sections, in the order of the keys
	values   map[string]fileValue
	errs     []error
}

func (p *parser) fail(line int, format string, args ...any) {
	p.errs = append(p.errs, fmt.Errorf("%s:%d: %w", p.file, max(line, 1), fmt.Errorf(format, args...)))
}

// section reads the keys of a section; "" is the whole file.
func (p *parser) section(name string, n yaml.Node) {
	switch {
	case n.Kind == yaml.Null:
		return
	case n.Kind != yaml.Mapping && name == "":
		p.fail(n.Line, "expected keys with values, such as corpus: main")
		return
	case n.Kind != yaml.Mapping:
		p.fail(n.Line, "%s is a section: expected keys below it, found %s", name, found(n))
		return
	}
	for _, f := range n.Fields {
		full := strings.TrimPrefix(name+"."+f.Key, ".")
		k, known := p.keys[full]
		switch {
		case known && strings.Contains(f.Key, "."):
			p.fail(f.Line, "write the key %s as a section with a key below it", full)
		case known:
			p.value(k, f.Value)
		case p.sections[full]:
			p.section(full, f.Value)
		case secret(f.Key):
			p.fail(f.Line, "this name is an API key: put the key into an environment variable")
		case secretName(f.Key) && strings.HasSuffix(strings.ToLower(f.Key), "password"):
			p.fail(f.Line, "%s: a password does not belong in a file: set the environment variable NEO4J_PASSWORD", show(full))
		case secretName(f.Key):
			p.fail(f.Line, "%s: a key does not belong in a file: put it into an environment variable and name that variable in api_key_env", show(full))
		default:
			p.fail(f.Line, "unknown key %s; the nearest is %s", show(full), nearest(full, p.names))
		}
	}
}

// show quotes a name from a file, cut to a length that fits on a line.
func show(name string) string {
	if len(name) > 80 {
		name = name[:80] + "..."
	}
	return fmt.Sprintf("%q", name)
}

// found describes the kind of a node, without its value.
func found(n yaml.Node) string {
	switch n.Kind {
	case yaml.Mapping:
		return "keys"
	case yaml.Sequence:
		return "a list"
	case yaml.Alias:
		return "an alias"
	case yaml.Scalar:
		if n.Quoted {
			return "a text in quotes"
		}
		return "a single value"
	}
	return "nothing"
}

// value checks and keeps the value of a key.
func (p *parser) value(k Key, n yaml.Node) {
	if n.Kind == yaml.Null || n.Kind == yaml.Scalar && n.Value == "" {
		return
	}
	items, err := items(k, n)
	if err != nil {
		p.fail(n.Line, "%w", err)
		return
	}
	err = k.checkItems(len(items))
	if err != nil {
		p.fail(n.Line, "%w", err)
	}
	ok := err == nil
	for _, item := range items {
		if err := k.Check(item.text); err != nil {
			p.fail(item.line, "%w", err)
			ok = false
		}
	}
	if !ok || len(items) == 0 {
		return
	}
	v := fileValue{Line: n.Line}
	for _, item := range items {
		v.Items = append(v.Items, item.text)
	}
	p.values[k.Name] = v
}

// An item is a value, or one of several, with its line.
type item struct {
	text string
	line int
}

// items returns the items of a key's value, in the spelling of the file.
func items(k Key, n yaml.Node) ([]item, error) {
	wrong := fmt.Errorf("%s: expected %s, found %s", k.Name, k.describe(), found(n))
	switch k.Kind {
	case List:
		if n.Kind == yaml.Scalar {
			return []item{{n.Value, n.Line}}, nil
		}
		if n.Kind != yaml.Sequence {
			return nil, wrong
		}
		var out []item
		for _, e := range n.Items {
			if e.Kind != yaml.Scalar {
				return nil, fmt.Errorf("%s: expected %s, found %s in it", k.Name, k.Kind, found(e))
			}
			out = append(out, item{e.Value, e.Line})
		}
		return out, nil
	case Pairs:
		if n.Kind != yaml.Mapping {
			return nil, wrong
		}
		return pairs(k, n)
	case Parameters:
		if n.Kind != yaml.Mapping {
			return nil, wrong
		}
		return parameters("", n, nil)
	}
	number := k.Kind == Whole || k.Kind == Number || k.Kind == Switch
	if n.Kind != yaml.Scalar || number && n.Quoted {
		return nil, wrong
	}
	return []item{{strings.TrimSpace(n.Value), n.Line}}, nil
}

func pairs(k Key, n yaml.Node) ([]item, error) {
	var out []item
	for _, f := range n.Fields {
		switch {
		case !k.has(f.Key):
			return nil, fmt.Errorf("unknown key %s; the nearest is %s.%s", show(k.Name+"."+f.Key), k.Name, nearest(f.Key, k.Choices))
		case f.Value.Kind == yaml.Scalar:
			out = append(out, item{f.Key + "=" + f.Value.Value, f.Line})
		case f.Value.Kind != yaml.Null:
			return nil, fmt.Errorf("%s.%s: expected a text, found %s", k.Name, f.Key, found(f.Value))
		}
	}
	return out, nil
}

// parameters flattens nested mappings into names with dots.
func parameters(under string, n yaml.Node, out []item) ([]item, error) {
	for _, f := range n.Fields {
		name := strings.TrimPrefix(under+"."+f.Key, ".")
		if f.Value.Kind == yaml.Mapping {
			var err error
			if out, err = parameters(name, f.Value, out); err != nil {
				return nil, err
			}
			continue
		}
		value, err := encodeJSON(f.Value)
		if err != nil {
			return nil, err
		}
		out = append(out, item{name + "=" + string(value), f.Line})
	}
	return out, nil
}

// encodeJSON encodes a value as JSON. An unquoted scalar that is valid JSON, such as
// a number or true, is taken as such.
func encodeJSON(n yaml.Node) ([]byte, error) {
	switch {
	case n.Kind == yaml.Null:
		return []byte("null"), nil
	case n.Kind == yaml.Scalar && !n.Quoted && json.Valid([]byte(n.Value)):
		return []byte(n.Value), nil
	case n.Kind == yaml.Scalar:
		return json.Marshal(n.Value)
	case n.Kind == yaml.Sequence:
		list := make([]json.RawMessage, 0, len(n.Items))
		for _, e := range n.Items {
			value, err := encodeJSON(e)
			if err != nil {
				return nil, err
			}
			list = append(list, value)
		}
		return json.Marshal(list)
	}
	return nil, fmt.Errorf("parameters: expected a value, found %s", found(n))
}
