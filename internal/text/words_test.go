package text_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/text"
)

func TestWords(t *testing.T) {
	t.Parallel()
	for in, want := range map[string][]string{
		"":                              nil,
		"A cat's 2 lives, in 1921.":     {"cat", "lives", "in", "1921"},
		"Über-Held\nund **Ärger** x_yz": {"über", "held", "und", "ärger", "yz"},
		"人物 é":                          {"人物", "é"},
	} {
		if diff := cmp.Diff(want, slices.Collect(text.Words(in))); diff != "" {
			t.Errorf("%q (-want +got):\n%s", in, diff)
		}
	}
}

func TestJoinAnd(t *testing.T) {
	t.Parallel()
	for want, words := range map[string][]string{"": nil, "A": {"A"}, "A and B": {"A", "B"}, "A, B and C": {"A", "B", "C"}} {
		if got := text.JoinAnd(words); got != want {
			t.Errorf("%q: got %q, want %q", words, got, want)
		}
	}
}
