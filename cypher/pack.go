package cypher

import (
	"regexp"
	"strings"
)

// packed is the name of the only parameter of a packed statement.
const packed = "p"

var dollar = regexp.MustCompile(`\$(\w+)`)

// pack returns a statement that takes its parameters from one map, "" for schema
// statements, which allow no expressions there, and for saved queries.
func pack(name Statement, body string) string {
	if strings.HasPrefix(string(name), "schema/") || strings.HasPrefix(string(name), "saved/") {
		return ""
	}
	text, _ := Pack(body, nil)
	return text
}

// Pack returns a text that takes its parameters from one map, and the parameters that it has
// then.
func Pack(text string, params map[string]any) (string, map[string]any) {
	return dollar.ReplaceAllString(text, "$$"+packed+".$1"), map[string]any{packed: params}
}

// Packed returns Text in the form that the program sends, with its parameters in one
// map. The server keeps a plan for every combination of parameter types and of the
// magnitudes of lists and texts, and planning takes longer than most statements run;
// a map has the same type whatever it contains.
func (s Statement) Packed(corpus string, params map[string]any) (string, map[string]any, error) {
	file, err := s.File()
	if err != nil {
		return "", nil, err
	}
	if file.packed == "" || len(params) == 0 {
		text, err := s.Text(corpus)
		return text, params, err
	}
	text, err := s.fill(file, file.packed, corpus)
	return text, map[string]any{packed: params}, err
}
