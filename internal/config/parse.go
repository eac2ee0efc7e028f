package config

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/config/yaml"
)

// MaxSize bounds a file of settings, in bytes.
const MaxSize = 64 << 10

// A Value is what a file gives to a key: one item, or those of a List, Pairs or
// Parameters.
type Value struct {
	Items []string
	Line  int
}

// Parse reads a file. Keys without a value are left out: they have their defaults.
// The error joins one for everything that is wrong, in the order of lines.
func Parse(file, text string, keys []Key) (map[string]Value, error) {
	if len(text) > MaxSize {
		return nil, fmt.Errorf("%s: larger than %d bytes", file, MaxSize)
	}
	root, err := yaml.Parse(text)
	if err != nil {
		if broken, ok := errors.AsType[*yaml.SyntaxError](err); ok && broken.Line > 0 {
			return nil, fmt.Errorf("%s:%d: %s", file, broken.Line, broken.Message)
		}
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	p := &parse{file: file, keys: map[string]Key{}, sections: map[string]bool{}, values: map[string]Value{}}
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

type parse struct {
	file     string
	keys     map[string]Key
	sections map[string]bool
	names    []string // of keys and sections, in the order of keys
	values   map[string]Value
	errs     []error
}

func (p *parse) fail(line int, format string, args ...any) {
	p.errs = append(p.errs, fmt.Errorf("%s:%d: %w", p.file, max(line, 1), fmt.Errorf(format, args...)))
}

// section reads the keys below a name; "" is the file itself.
func (p *parse) section(name string, n yaml.Node) {
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
			p.fail(f.Line, "a key stands here in place of a name: keys stand in environment variables")
		case secretName(f.Key) && strings.HasSuffix(strings.ToLower(f.Key), "password"):
			p.fail(f.Line, "%s: a password does not belong in a file: set the environment variable NEO4J_PASSWORD", show(full))
		case secretName(f.Key):
			p.fail(f.Line, "%s: a key does not belong in a file: put it into an environment variable, and the name of that into api_key_env", show(full))
		default:
			p.fail(f.Line, "unknown key %s; the nearest is %s", show(full), nearest(full, p.names))
		}
	}
}

// show quotes a name that somebody wrote, cut to a length that fits a line.
func show(name string) string {
	if len(name) > 80 {
		name = name[:80] + "..."
	}
	return fmt.Sprintf("%q", name)
}

// found says what a node is, without its value.
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

func (p *parse) value(k Key, n yaml.Node) {
	if n.Kind == yaml.Null || n.Kind == yaml.Scalar && n.Value == "" {
		return
	}
	items, err := items(k, n)
	if err != nil {
		p.fail(n.Line, "%w", err)
		return
	}
	ok := true
	for _, item := range items {
		if err := k.Check(item.text); err != nil {
			p.fail(item.line, "%w", err)
			ok = false
		}
	}
	if !ok || len(items) == 0 {
		return
	}
	v := Value{Line: n.Line}
	for _, item := range items {
		v.Items = append(v.Items, item.text)
	}
	p.values[k.Name] = v
}

type item struct {
	text string
	line int
}

func items(k Key, n yaml.Node) ([]item, error) {
	wrong := fmt.Errorf("%s: expected %s, found %s", k.Name, k.Kind, found(n))
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
	number := k.Kind == Whole || k.Kind == Natural || k.Kind == Number || k.Kind == Switch
	if n.Kind != yaml.Scalar || number && n.Quoted {
		return nil, wrong
	}
	return []item{{strings.TrimSpace(n.Value), n.Line}}, nil
}

func pairs(k Key, n yaml.Node) ([]item, error) {
	var out []item
	for _, f := range n.Fields {
		switch {
		case !slices.Contains(k.Choices, f.Key):
			return nil, fmt.Errorf("unknown key %s; the nearest is %s.%s", show(k.Name+"."+f.Key), k.Name, nearest(f.Key, k.Choices))
		case f.Value.Kind == yaml.Scalar:
			out = append(out, item{f.Key + "=" + f.Value.Value, f.Line})
		case f.Value.Kind != yaml.Null:
			return nil, fmt.Errorf("%s.%s: expected a text, found %s", k.Name, f.Key, found(f.Value))
		}
	}
	return out, nil
}

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
		value, err := jsonOf(f.Value)
		if err != nil {
			return nil, err
		}
		out = append(out, item{name + "=" + string(value), f.Line})
	}
	return out, nil
}

// jsonOf is a value as JSON: what looks like a number, true or false is one,
// unless it stands in quotes.
func jsonOf(n yaml.Node) ([]byte, error) {
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
			value, err := jsonOf(e)
			if err != nil {
				return nil, err
			}
			list = append(list, value)
		}
		return json.Marshal(list)
	}
	return nil, fmt.Errorf("parameters: expected a value, found %s", found(n))
}
