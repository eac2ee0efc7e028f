package markdown

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// TestWriterShowsCompleteBlocks checks when blocks and items are shown.
func TestWriterShowsCompleteBlocks(t *testing.T) {
	t.Parallel()
	var shown strings.Builder
	w := NewWriter(80, func(s string) { shown.WriteString(s) })
	for _, tt := range []struct{ piece, want string }{
		{"# Who\nA para", "\x1b[1mWho\x1b[0m\n"},
		{"graph\n", ""},
		{"of two lines.\n", ""},
		{"\n", "\nA paragraph of two lines.\n"},
		{"- one\n", ""},
		{"- two\n  - three\n", "\n• one\n"},
		{"3. four\n", "• two\n  • three\n"},
		{"", ""},
	} {
		before := shown.Len()
		w.Write(tt.piece)
		if diff := cmp.Diff(tt.want, shown.String()[before:]); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tt.piece, diff)
		}
	}
	before := shown.Len()
	w.Close()
	if diff := cmp.Diff("3. four\n", shown.String()[before:]); diff != "" {
		t.Errorf("Close (-want +got):\n%s", diff)
	}
}

// TestWriterIgnoresPieces checks that what is shown depends only on the text, not on
// the pieces in which it arrives.
func TestWriterIgnoresPieces(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := texts().Draw(t, "text")
		width := rapid.IntRange(5, 130).Draw(t, "width")
		want := Terminal(text, width)
		var got strings.Builder
		w := NewWriter(width, func(s string) { got.WriteString(s) })
		for rest := text; rest != ""; {
			n := rapid.IntRange(1, min(7, len(rest))).Draw(t, "n")
			w.Write(rest[:n])
			rest = rest[n:]
		}
		w.Close()
		if diff := cmp.Diff(want, got.String()); diff != "" {
			t.Fatalf("%q (-whole +pieces):\n%s", text, diff)
		}
	})
}
