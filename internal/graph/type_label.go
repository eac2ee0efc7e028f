package graph

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxTypeLabel is the greatest length of the label of an entity type, in characters.
const maxTypeLabel = 100

// reservedLabels are the labels of the schema, in lower case.
var reservedLabels = map[string]bool{
	"corpus": true, "lease": true, "run": true, "document": true, "chunk": true, "passage": true, "entity": true,
	"relationship": true, "claim": true, "community": true, "report": true, "finding": true, "query": true, "sentence": true,
}

// TypeLabel returns the label of entities of a type in upper camel case: "Person" for
// "person", "NaturalPhenomenon" for "natural phenomenon", "Behörde" for "behörde". It
// returns "" for a type that has no valid label.
func TypeLabel(typ string) string {
	var label strings.Builder
	for _, w := range TypeWords(typ) {
		first, size := utf8.DecodeRuneInString(w)
		label.WriteRune(unicode.ToUpper(first))
		label.WriteString(w[size:])
	}
	if s := label.String(); IsTypeLabel(s) {
		return s
	}
	return ""
}

// TypeWords returns the words of a type in lower case: runs of letters, their marks,
// and digits.
func TypeWords(typ string) []string {
	return strings.FieldsFunc(strings.ToLower(typ), func(r rune) bool { return !isLabelRune(r) })
}

// IsTypeLabel reports whether a label is valid for a type: letters of any script, marks
// and digits, at most 100; the first is a letter, and a capital if its script has
// capitals. Labels of the schema are reserved.
func IsTypeLabel(label string) bool {
	first, _ := utf8.DecodeRuneInString(label)
	return unicode.IsLetter(first) && unicode.ToUpper(first) == first && utf8.ValidString(label) &&
		!strings.ContainsFunc(label, func(r rune) bool { return !isLabelRune(r) }) &&
		utf8.RuneCountInString(label) <= maxTypeLabel && !reservedLabels[strings.ToLower(label)]
}

func isLabelRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r) }
