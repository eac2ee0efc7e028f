package yaml

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParse(t *testing.T) {
	t.Parallel()
	text := "# a comment\na: 1\nb:\n  c: 'two'\n  d: [x, \"3\"]\n  e: |\n    four\n    five\nf:\ng: &h true\ni: *h\nj: !!str 5\n"
	want := Node{Kind: Mapping, Line: 2, Fields: []Field{
		{"a", 2, Node{Kind: Scalar, Line: 2, Value: "1"}},
		{"b", 3, Node{Kind: Mapping, Line: 4, Fields: []Field{
			{"c", 4, Node{Kind: Scalar, Line: 4, Value: "two", Quoted: true}},
			{"d", 5, Node{Kind: Sequence, Line: 5, Items: []Node{{Kind: Scalar, Line: 5, Value: "x"}, {Kind: Scalar, Line: 5, Value: "3", Quoted: true}}}},
			{"e", 6, Node{Kind: Scalar, Line: 6, Value: "four\nfive\n", Quoted: true}},
		}}},
		{"f", 9, Node{Line: 9}},
		{"g", 10, Node{Kind: Scalar, Line: 10, Value: "true"}},
		{"i", 11, Node{Kind: Alias, Line: 11}},
		{"j", 12, Node{Kind: Scalar, Line: 12, Value: "5"}},
	}}
	for _, input := range []string{text, "\ufeff" + strings.ReplaceAll(text, "\n", "\r\n")} {
		got, err := Parse(input)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

func TestParseEmpty(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "\n", "# a comment\n", "---\n"} {
		if got, err := Parse(text); err != nil || got.Kind != Null {
			t.Errorf("Parse(%q) = %+v, %v, want Null", text, got, err)
		}
	}
}

func TestParseErrors(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		text string
		line int
		want string
	}{
		{"a: 1\nb: 2\na: 3\n", 3, "duplicate key"},
		{"a: [1, 2\nb: 3\n", 2, "invalid YAML"},
		{"a: 1\n  b: sk-secret-0123\n", 0, "invalid YAML"},
		{"a: \"sk-secret-0123\n", 0, "invalid YAML"},
	} {
		_, err := Parse(tt.text)
		syntax, ok := errors.AsType[*SyntaxError](err)
		if !ok || tt.line > 0 && syntax.Line != tt.line || !strings.Contains(syntax.Message, tt.want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("Parse(%q): %v, want line %d and %q", tt.text, err, tt.line, tt.want)
		}
	}
	if _, err := Parse("a: 1\n---\nb: 2\n"); !errors.Is(err, ErrDocuments) {
		t.Errorf("two documents: %v", err)
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{"a: 1\nb: [x, {c: d}]\n", "? [a]\n: b\n", "a: &x [*x]\n", "<<: {a: b}\n", strings.Repeat("[", 200), "a: |\n x\n"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 4<<10 {
			return
		}
		var walk func(Node, int)
		walk = func(n Node, depth int) {
			if depth > maxDepth+1 || n.Kind != Mapping && n.Fields != nil || n.Kind != Sequence && n.Items != nil || n.Kind != Scalar && n.Value != "" {
				t.Fatalf("depth %d: %+v", depth, n)
			}
			for _, f := range n.Fields {
				walk(f.Value, depth+1)
			}
			for _, item := range n.Items {
				walk(item, depth+1)
			}
		}
		root, err := Parse(text)
		if err == nil {
			walk(root, 0)
		}
	})
}
