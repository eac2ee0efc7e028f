package source

import (
	"cmp"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

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
// is nil if the block is none. It works on the syntax tree: values keep their
// spelling, and aliases, which could multiply, are left out.
func parseFields(block string) (fields map[string]string) {
	defer func() {
		if recover() != nil { // the parser met what it was not written for
			fields = nil
		}
	}()
	file, err := parser.ParseBytes([]byte(block), 0)
	if err != nil || len(file.Docs) != 1 {
		return nil
	}
	if _, mapping := file.Docs[0].Body.(*ast.MappingNode); !mapping {
		return nil
	}
	fields = map[string]string{}
	flatten("", file.Docs[0].Body, 0, fields)
	return fields
}

func flatten(name string, node ast.Node, depth int, into map[string]string) {
	if depth > maxFrontMatterDepth {
		return
	}
	mapping, ok := unwrap(node).(*ast.MappingNode)
	if !ok {
		if value := strings.TrimSpace(scalar(node, depth)); value != "" {
			into[clean(name)] = clean(value)
		}
		return
	}
	for _, v := range mapping.Values {
		key := v.Key.GetToken().Value
		if name != "" {
			key = name + "." + key
		}
		flatten(key, v.Value, depth+1, into)
	}
}

func unwrap(node ast.Node) ast.Node {
	for range maxFrontMatterDepth {
		switch n := node.(type) {
		case *ast.AnchorNode:
			node = n.Value
		case *ast.TagNode:
			node = n.Value
		default:
			return node
		}
	}
	return node
}

// scalar is the text of a value; the elements of a list are joined by commas.
func scalar(node ast.Node, depth int) string {
	switch n := unwrap(node).(type) {
	case nil, *ast.NullNode, *ast.AliasNode:
		return ""
	case *ast.StringNode:
		return n.Value
	case *ast.LiteralNode:
		return n.Value.Value
	case *ast.SequenceNode:
		var parts []string
		for _, value := range n.Values {
			if depth > maxFrontMatterDepth {
				break
			}
			if part := strings.TrimSpace(scalar(value, depth+1)); part != "" {
				parts = append(parts, part)
			}
		}
		return strings.Join(parts, ", ")
	case ast.ScalarNode:
		return n.GetToken().Value
	}
	return ""
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
