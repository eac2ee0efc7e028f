package cypher

import (
	"fmt"
	"strings"
	"unicode"
)

// Pattern returns the text of a statement for nodes with one of the labels and
// relationships of one of the types, which replace __labels__ and __types__. Neo4j
// finds nodes efficiently only by labels in the text, so names of users are quoted
// there; names that CheckName does not allow are an error.
func (s Statement) Pattern(labels, types []string) (string, error) {
	file, err := s.File()
	if err != nil {
		return "", err
	}
	l, err := alternatives("label", labels)
	if err != nil {
		return "", err
	}
	t, err := alternatives("relationship type", types)
	if err != nil {
		return "", err
	}
	return strings.NewReplacer("__labels__", l, "__types__", t).Replace(file.Body), nil
}

// alternatives returns ":`A`|`B`", or "" for no names.
func alternatives(what string, names []string) (string, error) {
	quoted := make([]string, len(names))
	for i, name := range names {
		if err := CheckName(name); err != nil {
			return "", fmt.Errorf("%s %w", what, err)
		}
		quoted[i] = "`" + name + "`"
	}
	if len(quoted) == 0 {
		return "", nil
	}
	return ":" + strings.Join(quoted, "|"), nil
}

// maxName is the maximum length of a name in bytes.
const maxName = 200

// CheckName returns an error for a label or type that quotes might not contain: one
// with a backtick, a backslash (Neo4j reads \u0060 as a backtick anywhere) or an
// invisible character.
func CheckName(name string) error {
	switch {
	case name == "" || len(name) > maxName:
		return fmt.Errorf("%.40q: must have 1 to %d bytes", name, maxName)
	case strings.ContainsAny(name, "`\\"):
		return fmt.Errorf("%q: must not contain backticks or backslashes", name)
	case strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) || r == unicode.ReplacementChar }):
		return fmt.Errorf("%q: must not contain invisible characters", name)
	}
	return nil
}
