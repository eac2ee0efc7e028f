package source

import (
	"cmp"
	"strings"

	"github.com/neorag/neorag/internal/config/yaml"
	"github.com/neorag/neorag/internal/graph"
)

const (
	// maxFrontMatter bounds what is handed to the YAML parser.
	maxFrontMatter = 16 << 10
	// maxFrontMatterDepth bounds how deep its values may be nested.
	maxFrontMatterDepth = 8
)

// frontMatter splits a text into the YAML block between two lines of hyphens
// that it may start with, and what follows. Without a block that holds fields the
// text is returned as it is: it may start with a rule.
func frontMatter(text string) (fields map[string]string, rest string) {
	block, rest, found := fenced(text)
	if !found {
		return nil, text
	}
	if fields = parseFields(block); fields == nil {
		return nil, text
	}
	return fields, rest
}

func fenced(text string) (block, rest string, found bool) {
	first, after, more := strings.Cut(text, "\n")
	if !more || strings.TrimRight(first, " \t") != "---" {
		return "", "", false
	}
	for at := 0; at < min(len(after), maxFrontMatter); {
		line, _, more := strings.Cut(after[at:], "\n")
		next := min(at+len(line)+1, len(after))
		if end := strings.TrimRight(line, " \t"); end == "---" || end == "..." {
			return after[:at], after[next:], true
		}
		if !more {
			break
		}
		at = next
	}
	return "", "", false
}

// parseFields reads a YAML mapping into texts, nested keys joined by dots, and
// is nil if the block is none. Values keep their spelling; aliases are left out.
func parseFields(block string) map[string]string {
	root, err := yaml.Parse(block)
	if err != nil || root.Kind != yaml.Mapping {
		return nil
	}
	fields := map[string]string{}
	flatten("", root, 0, fields)
	return fields
}

func flatten(name string, node yaml.Node, depth int, into map[string]string) {
	if depth > maxFrontMatterDepth {
		return
	}
	if node.Kind != yaml.Mapping {
		if value := strings.TrimSpace(scalar(node, depth)); value != "" {
			into[clean(name)] = clean(value)
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

// scalar is the text of a value; the elements of a list are joined by commas.
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

// describe lets the text of a document, its front matter first, override what
// the file's name says of it, and takes the front matter off.
func describe(doc *graph.Document, text string) {
	fields, rest := frontMatter(text)
	doc.Text = rest
	doc.Date = cmp.Or(parseDate(fields["date"]), date(doc.Date, rest))
	doc.Title = cmp.Or(strings.Join(strings.Fields(fields["title"]), " "), doc.Title)
	if len(fields) > 0 {
		doc.Metadata = fields
	}
}
