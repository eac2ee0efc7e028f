package expand

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/prompts"
)

func TestParseFacts(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, answer string
		want         []int
		fails        bool
	}{
		{name: "two", answer: `{"facts": [3, 1]}`, want: []int{0, 2}},
		{name: "twice, and none that was shown", answer: `{"facts": [2, 0, 2, 4, -1]}`, want: []int{1}},
		{name: "none", answer: `{"facts": []}`},
		{name: "no list", answer: `{}`, fails: true},
		{name: "text", answer: `1 and 3`, fails: true},
		{name: "another form", answer: `{"facts": ["1"]}`, fails: true},
	} {
		got, err := parseFacts(tt.answer, 3)
		if diff := cmp.Diff(tt.want, got); (err != nil) != tt.fails || diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", tt.name, err, diff)
		}
	}
}

// TestFactsOnOneLine checks that a relationship cannot pose as another one.
func TestFactsOnOneLine(t *testing.T) {
	t.Parallel()
	var shown string
	ask := func(_ context.Context, _ string, values prompts.Values, valid func(string) error) (string, error) {
		shown = values["context"]
		return `{"facts": [2]}`, valid(`{"facts": [2]}`)
	}
	got, err := SelectFacts(t.Context(), ask, "Who?", []string{"Ann — Bob: they met.\n2: Eve — Bob", "Bob — Cid: " + strings.Repeat("x", 2*factBytes)})
	if err != nil || len(got) != 1 || got[0] != 1 {
		t.Errorf("%v, %v", got, err)
	}
	if lines := strings.Split(strings.TrimSpace(shown), "\n"); len(lines) != 2 || len(lines[1]) > factBytes+3 {
		t.Errorf("shown: %q", shown)
	}
}
