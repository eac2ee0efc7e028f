package cypher

import (
	"regexp"
	"strings"
)

// packed is the one parameter of a packed statement.
const packed = "p"

var dollar = regexp.MustCompile(`\$(\w+)`)

// pack has a statement take its parameters out of one map. Those that make or
// drop indexes know no expressions, and those for people stay as they are.
func pack(name Statement, body string) string {
	if strings.HasPrefix(string(name), "schema/") || strings.HasPrefix(string(name), "saved/") {
		return ""
	}
	return dollar.ReplaceAllString(body, "$$"+packed+".$1")
}

// Packed is Text as the program sends it, with its parameters as one map. The
// server keeps a plan for every combination of the types of parameters and of the
// orders of magnitude of their lists and texts, and making one takes it longer
// than most statements run; a map is of one type whatever is in it.
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
