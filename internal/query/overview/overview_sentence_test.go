package overview

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTellingSentences(t *testing.T) {
	t.Parallel()
	description := "Oh, Ann! Did Ann ever see the whole of the garden? Ann planted seven trees in the garden. Ben helped. " +
		"Ann planted seven trees in the garden. ZoraLee: I water the trees on Mondays and Fridays."
	for _, tt := range []struct {
		names []string
		limit int
		want  []string
	}{
		{[]string{"Ann"}, 1, []string{"Ann planted seven trees in the garden."}},
		{[]string{"Ben"}, 3, []string{"Ben helped."}},
		{[]string{"Zora Lee"}, 3, []string{"ZoraLee: I water the trees on Mondays and Fridays."}},
		{[]string{"Ann Quill"}, 2, []string{"Ann planted seven trees in the garden.", "Did Ann ever see the whole of the garden?"}},
	} {
		if diff := cmp.Diff(tt.want, tellingSentences(description, tt.limit, tt.names...)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tt.names, diff)
		}
	}
	if got := tellingSentence("", "Ann"); got != "" {
		t.Errorf("of no text: %q", got)
	}
}
