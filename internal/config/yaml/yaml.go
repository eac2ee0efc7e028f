// Package yaml reads YAML into a tree of texts. It follows no aliases, which could
// expand without bound, ignores tags, and keeps the spelling of every value: its
// caller knows the type that a value should have.
package yaml

import (
	"errors"
	"fmt"
	"strings"

	goyaml "github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// maxDepth bounds the nesting of values; deeper values are Null.
const maxDepth = 32

// Kind is the kind of a node.
type Kind int

// The kinds of nodes.
const (
	Null Kind = iota
	Scalar
	Mapping
	Sequence
	Alias // not followed
)

// A Node is a value with its children.
type Node struct {
	Kind   Kind
	Line   int     // from 1; 0 if unknown
	Value  string  // of a Scalar, in its own spelling, without quotes
	Quoted bool    // the Scalar is quoted or a block, so it is a text even if it looks like a number
	Fields []Field // of a Mapping, in order, without duplicate keys
	Items  []Node  // of a Sequence
}

// A Field is a key of a Mapping with its value.
type Field struct {
	Key   string
	Line  int
	Value Node
}

// ErrDocuments is returned for a text with more than one document.
var ErrDocuments = errors.New("more than one document")

// A SyntaxError locates invalid YAML. It shows nothing of the text, which may hold a
// secret.
type SyntaxError struct {
	Line    int // from 1; 0 if unknown
	Message string
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Message) }

// Parse reads one document; an empty one is Null. The caller bounds the size.
func Parse(text string) (root Node, err error) {
	defer func() {
		if recover() != nil { // the parser panics on some invalid input
			root, err = Node{}, &SyntaxError{Message: "invalid YAML"}
		}
	}()
	text = strings.ReplaceAll(strings.TrimPrefix(text, "\ufeff"), "\r\n", "\n") // otherwise the parser counts each line twice
	file, err := parser.ParseBytes([]byte(text), 0)
	if err != nil {
		return Node{}, syntaxError(err)
	}
	switch len(file.Docs) {
	case 0:
		return Node{}, nil
	case 1:
		return node(file.Docs[0].Body, 0), nil
	}
	return Node{}, ErrDocuments
}

func syntaxError(err error) error {
	out := &SyntaxError{Message: "invalid YAML"}
	syntax, ok := errors.AsType[*goyaml.SyntaxError](err)
	if !ok {
		return out
	}
	if t := syntax.GetToken(); t != nil && t.Position != nil {
		out.Line = t.Position.Line
	}
	// Some messages quote the text.
	if message := syntax.GetMessage(); strings.HasPrefix(message, "mapping key") && strings.Contains(message, "already defined") {
		out.Message = "duplicate key"
	} else if !strings.ContainsAny(message, "\"`\n") {
		out.Message += ": " + message
	}
	return out
}

func node(from ast.Node, depth int) Node {
	from = unwrap(from)
	if from == nil || depth > maxDepth {
		return Node{}
	}
	n := Node{Kind: Scalar, Line: line(from.GetToken())}
	switch f := from.(type) {
	case *ast.NullNode:
		n.Kind = Null
	case *ast.AliasNode:
		n.Kind = Alias
	case *ast.StringNode:
		n.Value = f.Value
		n.Quoted = f.Token != nil && (f.Token.Type == token.SingleQuoteType || f.Token.Type == token.DoubleQuoteType)
	case *ast.LiteralNode:
		n.Value, n.Quoted = f.Value.Value, true
	case *ast.SequenceNode:
		n.Kind = Sequence
		for _, v := range f.Values {
			n.Items = append(n.Items, node(v, depth+1))
		}
	case *ast.MappingNode:
		n.Kind = Mapping
		for _, v := range f.Values {
			n.Fields = append(n.Fields, field(v, depth))
		}
		if len(n.Fields) > 0 {
			n.Line = n.Fields[0].Line
		}
	case ast.ScalarNode:
		n.Value = f.GetToken().Value
	default:
		n.Kind = Null
	}
	return n
}

func field(v *ast.MappingValueNode, depth int) Field {
	key := v.Key.GetToken()
	f := Field{Key: key.Value, Line: line(key), Value: node(v.Value, depth+1)}
	if f.Value.Line == 0 {
		f.Value.Line = f.Line
	}
	return f
}

func line(t *token.Token) int {
	if t == nil || t.Position == nil {
		return 0
	}
	return t.Position.Line
}

// unwrap removes anchors and tags from a value.
func unwrap(n ast.Node) ast.Node {
	for range maxDepth {
		switch of := n.(type) {
		case *ast.AnchorNode:
			n = of.Value
		case *ast.TagNode:
			n = of.Value
		default:
			return n
		}
	}
	return nil
}
