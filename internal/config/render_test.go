package config

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// TestRender checks that a rendered file is read back as the same defaults.
func TestRender(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[ -~ä€\n]{1,12}`).Filter(func(s string) bool { return strings.TrimSpace(s) == s && !secret(s) })
		keys := []Key{
			{Name: "a", Default: []string{text.Draw(t, "a")}, Doc: "A."},
			{Name: "b.c", Kind: List, Default: rapid.SliceOfN(text, 1, 4).Draw(t, "c")},
			{Name: "b.d.e", Kind: Whole, Default: []string{"-7"}},
			{Name: "b.d.f", Kind: Path},
			{Name: "g", Kind: Switch, Default: []string{"true"}},
		}
		file := render("Head.\nMore.", keys, map[string]string{"b": "Section."})
		got, err := parseFile("f", file, keys)
		if err != nil {
			t.Fatalf("%v in\n%s", err, file)
		}
		for _, k := range keys {
			if diff := cmp.Diff(k.Default, got[k.Name].Items); diff != "" {
				t.Errorf("%s (-want +got):\n%s\nin\n%s", k.Name, diff, file)
			}
		}
	})
}
