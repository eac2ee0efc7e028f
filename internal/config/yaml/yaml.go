// Package yaml reads YAML into a tree of texts. It follows no alias, which could
// multiply, and no tag, and keeps the spelling of every value: what reads the tree
// knows what a value should be.
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

// maxDepth bounds how deep values are nested; what is deeper is Null.
const maxDepth = 32

// Kind is what a node is.
type Kind int

// The kinds of nodes.
const (
	Null Kind = iota
	Scalar
	Mapping
	Sequence
	Alias // of a value elsewhere, not followed
)

// A Node is a value with what is in it.
type Node struct {
	Kind   Kind
	Line   int     // from 1; 0 where there is none
	Value  string  // of a Scalar, as it is spelled, without quotes
	Quoted bool    // a Scalar in quotes or a block: a text, whatever it looks like
	Fields []Field // of a Mapping, in their order; no key twice
	Items  []Node  // of a Sequence
}

// A Field is a key with its value.
type Field struct {
	Key   string
	Line  int
	Value Node
}

// ErrDocuments says that a text holds more than one document.
var ErrDocuments = errors.New("more than one document")

// A SyntaxError says where a text is no YAML. It shows nothing of the text, which
// may hold a secret.
type SyntaxError struct {
	Line    int // from 1; 0 where it is not known
	Message string
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Message) }

// Parse reads one document. An empty one is Null. The caller bounds the size.
func Parse(text string) (root Node, err error) {
	defer func() {
		if recover() != nil { // the parser met what it was not written for
			root, err = Node{}, &SyntaxError{Message: "this is not YAML"}
		}
	}()
	text = strings.ReplaceAll(strings.TrimPrefix(text, "\ufeff"), "\r\n", "\n") // else lines are counted twice
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
	out := &SyntaxError{Message: "this is not YAML"}
	broken, ok := errors.AsType[*goyaml.SyntaxError](err)
	if !ok {
		return out
	}
	if t := broken.GetToken(); t != nil && t.Position != nil {
		out.Line = t.Position.Line
	}
	// Some messages quote what they met.
	if message := broken.GetMessage(); strings.HasPrefix(message, "mapping key") && strings.Contains(message, "already defined") {
		out.Message = "a key stands here for the second time"
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

// unwrap takes anchors and tags off a value.
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
