package markup

import (
	"strconv"
	"strings"

	"github.com/neorag/neorag/internal/config/yaml"
	"github.com/neorag/neorag/internal/source/decode"
)

const (
	maxFrontMatter      = 16 << 10 // bytes
	maxFrontMatterDepth = 8        // levels of nested values
)

// frontMatter splits a text into its front matter, a YAML block between two lines "---" or a TOML
// block between two lines "+++" at the start, and the rest. If there is none, or if it is not a
// mapping, the rest is the whole text: it may start with a horizontal rule.
func frontMatter(text string) (fields map[string]string, rest string) {
	if block, rest, found := fenced(text, "---", "..."); found {
		if fields = parseFrontMatter(block); fields != nil {
			return fields, rest
		}
	}
	if block, rest, found := fenced(text, "+++", "+++"); found {
		if fields = parseTOML(block); len(fields) > 0 {
			return fields, rest
		}
	}
	return nil, text
}

// fenced returns the block between two lines of marks, of which the second may be another, and the
// text after it.
func fenced(text, mark, other string) (block, rest string, found bool) {
	first, after, more := strings.Cut(text, "\n")
	if !more || strings.TrimRight(first, " \t") != mark {
		return "", "", false
	}
	for at := 0; at < min(len(after), maxFrontMatter); {
		line, _, more := strings.Cut(after[at:], "\n")
		next := min(at+len(line)+1, len(after))
		if end := strings.TrimRight(line, " \t"); end == mark || end == other {
			return after[:at], after[next:], true
		}
		if !more {
			break
		}
		at = next
	}
	return "", "", false
}

// parseTOML returns the values of one line in a TOML table as texts, with the names of inner tables
// before their keys. The elements of a list are joined by commas.
func parseTOML(block string) map[string]string {
	fields := map[string]string{}
	table := ""
	for line := range strings.Lines(block) {
		line = strings.TrimSpace(line)
		if name, found := strings.CutPrefix(line, "["); found {
			table = strings.Trim(name, "[] ") + "."
			continue
		}
		key, value, found := strings.Cut(line, "=")
		key, value = strings.Trim(key, " \t\"'"), strings.TrimSpace(value)
		if !found || key == "" || strings.HasPrefix(key, "#") {
			continue
		}
		if list, found := strings.CutPrefix(value, "["); found {
			var items []string
			for item := range strings.SplitSeq(strings.TrimSuffix(list, "]"), ",") {
				if item = tomlValue(item); item != "" {
					items = append(items, item)
				}
			}
			value = strings.Join(items, ", ")
		} else {
			value = tomlValue(value)
		}
		if value != "" {
			fields[decode.Clean(table+key)] = decode.Clean(value)
		}
	}
	return fields
}

// tomlValue returns a value without its quotation marks, or the comment after it.
func tomlValue(s string) string {
	s = strings.TrimSpace(s)
	if quoted, err := strconv.QuotedPrefix(s); err == nil && s[0] == '"' {
		if value, err := strconv.Unquote(quoted); err == nil {
			return strings.TrimSpace(value)
		}
	}
	if literal, found := strings.CutPrefix(s, "'"); found {
		literal, _, _ = strings.Cut(literal, "'")
		return strings.TrimSpace(literal)
	}
	s, _, _ = strings.Cut(s, "#")
	return strings.TrimSpace(s)
}

// parseFrontMatter returns the values of a YAML mapping as texts, with nested keys
// joined by dots, or nil if the block is not a mapping. Values keep their spelling;
// aliases are left out.
func parseFrontMatter(block string) map[string]string {
	root, err := yaml.Parse(block)
	if err != nil || root.Kind != yaml.Mapping {
		return nil
	}
	fields := map[string]string{}
	flatten("", root, 0, fields)
	return fields
}

// flatten adds the values below a node under a name.
func flatten(name string, node yaml.Node, depth int, into map[string]string) {
	if depth > maxFrontMatterDepth {
		return
	}
	if node.Kind != yaml.Mapping {
		if value := strings.TrimSpace(scalar(node, depth)); value != "" {
			into[decode.Clean(name)] = decode.Clean(value)
		}
		return
	}
	for _, f := range node.Fields {
		key := f.Key
		if name != "" {
			key = name + "." + key
		}
		flatten(key, f.Value, depth+1, into)
	}
}

// scalar returns the text of a value. The elements of a list are joined by commas.
func scalar(node yaml.Node, depth int) string {
	if node.Kind != yaml.Sequence {
		return node.Value
	}
	var parts []string
	for _, item := range node.Items {
		if depth > maxFrontMatterDepth {
			break
		}
		if part := strings.TrimSpace(scalar(item, depth+1)); part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, ", ")
}
