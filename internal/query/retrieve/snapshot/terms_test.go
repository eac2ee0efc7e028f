package snapshot

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestOneEdit(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		a, b string
		want bool
	}{
		{"scrooge", "scrooge", false},
		{"scrooge", "scroge", true},
		{"scroge", "scrooge", true},
		{"scrooge", "scrooges", true},
		{"scrooge", "screoge", true},
		{"scrooge", "scorogs", false},
		{"marley", "marely", true},
		{"marley", "amrley", true},
		{"marley", "mayler", false},
		{"a", "", true},
		{"ab", "ba", true},
		{"abc", "cba", false},
	} {
		if got := oneEdit(tt.a, tt.b); got != tt.want {
			t.Errorf("oneEdit(%q, %q) = %v", tt.a, tt.b, got)
		}
	}
}

func TestSimilar(t *testing.T) {
	t.Parallel()
	s := &Snapshot{termOffsets: []uint32{0}}
	for _, term := range []string{"marlei", "marley", "marleys", "marsh", "zebra"} {
		s.terms = append(s.terms, term...)
		s.termOffsets = append(s.termOffsets, uint32(len(s.terms)))
		s.frequencies = append(s.frequencies, 1)
	}
	for term, want := range map[string][]string{"marely": {"marley"}, "marley": {"marlei", "marleys"}, "narley": nil, "ma": nil} {
		if diff := cmp.Diff(want, s.Similar(term)); diff != "" {
			t.Errorf("Similar(%q) (-want +got):\n%s", term, diff)
		}
	}
}
