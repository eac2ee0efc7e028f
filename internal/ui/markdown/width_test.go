package markdown

import (
	"testing"
)

func TestWidth(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{"abc": 3, "漢字": 4, "é": 1, "e\u0301": 1, "🎄": 2, "\u200b": 0, "ｆ": 2, "❤️": 2} {
		if got := Width(text); got != want {
			t.Errorf("%q: got %d, want %d", text, got, want)
		}
	}
	if got := Fit("漢字x", 3); got != "漢" {
		t.Errorf("got %q", got)
	}
}
