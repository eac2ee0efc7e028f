package resolve

import (
	"strings"
	"testing"
	"unicode"
)

// FuzzTypeLabel checks that the label of an entity type is a plain identifier and none
// that the program uses itself: models and documents name types.
func FuzzTypeLabel(f *testing.F) {
	for _, s := range []string{"person", "Legal entity", "x`) DETACH DELETE n //", "Entity", "Entity_letters", "C0_1", "ǆ", "1a", "İ", "\u0345a"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, typ string) {
		label := TypeLabel(typ, []string{typ})
		if label == "" {
			return
		}
		for i, r := range label {
			if !unicode.IsLetter(r) && (i == 0 || !unicode.IsDigit(r)) {
				t.Fatalf("TypeLabel(%q) = %q contains %q", typ, label, r)
			}
		}
		if reservedLabels[strings.ToLower(label)] {
			t.Fatalf("TypeLabel(%q) = %q is reserved", typ, label)
		}
	})
}
