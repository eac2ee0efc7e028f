package textproc_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/text/textproc"
)

func TestLucene(t *testing.T) {
	t.Parallel()
	q := textproc.Query{
		Terms: []textproc.WeightedTerm{{"dinner", 1}, {"hailey", 1.25}, {"20260410", 4}, {"AND", 1}, {"a b", .2}, {"", 1}, {"gone", 0}, {"minus", -1}, {"c:d", 1}, {`e\`, 2}},
		Pairs: []string{"a~b", "c~d"},
	}
	if diff := cmp.Diff(`dinner hailey^1.25 20260410^4 \AND a\ b^0.2 c\:d e\\^2`, q.Lucene()); diff != "" {
		t.Errorf("Lucene (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(`a\~b c\~d`, q.LuceneTermPairs()); diff != "" {
		t.Errorf("LuceneTermPairs (-want +got):\n%s", diff)
	}
	if got := (textproc.Query{}).Lucene(); got != "" {
		t.Errorf("empty query: %q, want nothing", got)
	}
}

func FuzzEscape(f *testing.F) {
	for _, seed := range []string{"AND", "OR", "NOT", "a-b", "a\\", "(x)^2", "a b\tc", "\"", "~*?", "/re/", "&&||", "東京"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, term string) {
		term = strings.ToValidUTF8(term, "")
		escaped := textproc.Escape(term)
		var plain strings.Builder
		escapes := false // the last character was a backslash
		for _, r := range escaped {
			switch {
			case escapes:
				plain.WriteRune(r)
				escapes = false
			case r == '\\':
				escapes = true
			default:
				if strings.ContainsRune("+-&|!(){}[]^\"~*?:/ \t\r\n\u3000", r) {
					t.Fatalf("%q: %q is not escaped in %q", term, r, escaped)
				}
				plain.WriteRune(r)
			}
		}
		if escapes || plain.String() != term || slices.Contains([]string{"AND", "OR", "NOT"}, escaped) {
			t.Fatalf("%q was escaped as %q", term, escaped)
		}
	})
}
