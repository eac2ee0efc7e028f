package cypher

import (
	"regexp"
	"strings"
)

// packed is the one parameter of a packed statement.
const packed = "p"

var dollar = regexp.MustCompile(`\$(\w+)`)

// Pack makes one map of the parameters of a statement. The server keeps a plan
// for every combination of the types of parameters and of the orders of magnitude
// of their lists and texts, and making one takes it longer than most statements
// run; a map is of one type whatever is in it. Statements that make or drop
// indexes, which know no expressions, and those for people stay as they are.
func (s Statement) Pack(text string, params map[string]any) (string, map[string]any) {
	if len(params) == 0 || strings.HasPrefix(string(s), "schema/") || strings.HasPrefix(string(s), "explore/") {
		return text, params
	}
	return dollar.ReplaceAllString(text, "$$"+packed+".$1"), map[string]any{packed: params}
}
