package cite

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/neorag/neorag/internal/text"
)

func TestLocate(t *testing.T) {
	t.Parallel()
	source := "He said:\n  'Marley was\r\ndead, to begin with.'\t There is no doubt — none."
	tests := []struct {
		quote, want string
	}{
		{"Marley was dead, to begin with.", "Marley was\r\ndead, to begin with."},
		{"There is no doubt — none.", "There is no doubt — none."},
		{"to begin with.' There is…", "to begin with.'\t There is"},
		{"Scrooge", ""},
		{"  ", ""},
	}
	for _, tt := range tests {
		at, ok := locate(source, tt.quote)
		if got := source[at.Start:at.End]; ok != (tt.want != "") || got != tt.want {
			t.Errorf("locate(%q): got %q, %v, want %q", tt.quote, got, ok, tt.want)
		}
	}
}

func TestLocateFindsEveryQuote(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(rapid.StringMatching(`[a-zé—]{1,6}`), 1, 12).Draw(t, "words")
		spaces := rapid.SampledFrom([]string{" ", "\n", "  \t", "\u00a0"})
		var source strings.Builder
		for _, w := range words {
			source.WriteString(spaces.Draw(t, "space"))
			source.WriteString(w)
		}
		i := rapid.IntRange(0, len(words)-1).Draw(t, "from")
		j := rapid.IntRange(i, len(words)-1).Draw(t, "to")
		quote := strings.Join(words[i:j+1], " ")
		at, ok := locate(source.String(), quote)
		if !ok {
			t.Fatalf("locate(%q, %q): not found", source.String(), quote)
		}
		if got := text.OneLine(source.String()[at.Start:at.End]); got != quote {
			t.Fatalf("locate(%q, %q): got %q", source.String(), quote, got)
		}
		if !utf8.ValidString(source.String()[at.Start:at.End]) {
			t.Fatalf("locate(%q, %q) cuts a rune", source.String(), quote)
		}
	})
}
