package resolve_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/stage/resolve"
)

func TestNamesIn(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, text string
		names      []string
		want       []string
	}{
		{"cases and white space differ", "CLARA\n  Hale came.", []string{"clara hale"}, []string{"clara hale"}},
		{"a possessive", "Scrooge’s partner", []string{"scrooge"}, []string{"scrooge"}},
		{"part of a word", "Annabel met Joanna.", []string{"anna"}, nil},
		{"part of a word, then a word", "Joanna met Anna.", []string{"anna"}, []string{"anna"}},
		{"a name that begins again in itself", "aba aba c", []string{"aba c"}, []string{"aba c"}},
		{"next to marks", "(Lang-Reed)", []string{"lang", "reed", "lang-reed"}, []string{"lang", "reed", "lang-reed"}},
		{"digits belong to words", "in 19345", []string{"1934"}, nil},
		{"a script without spaces", "我住在北京市。", []string{"北京"}, []string{"北京"}},
		{"accents belong to words", "Zoé\u0301s", []string{"zo"}, nil},
		{"the order of the names", "Reed and Hale", []string{"hale", "reed"}, []string{"hale", "reed"}},
		{"no name", "Reed", []string{""}, nil},
	} {
		if diff := cmp.Diff(tc.want, resolve.NamesIn(tc.text, tc.names)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.name, diff)
		}
	}
}
