package terminal

import (
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/ui/markdown"
)

func TestStreamOfNoTerminal(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	s := NewStream(&out, func(string) string { return "" }, true)
	if s.Receiver(func() {}) != nil || s.Shows("") {
		t.Error("a pipe is streamed to")
	}
	if s.Close(); out.Len() > 0 {
		t.Errorf("a pipe gets %q", out.String())
	}
}

// TestStreamRestarts: a void answer stays on the terminal, a line says so, and only the
// next one counts.
func TestStreamRestarts(t *testing.T) {
	t.Parallel()
	for _, styled := range []bool{true, false} {
		var out strings.Builder
		s := &Stream{w: &out, on: true, width: 80}
		if styled {
			s.styled = markdown.NewWriter(80, s.show)
		}
		receive := s.Receiver(func() {})
		receive("The first ans")
		s.Restart("the corpus was \x1bindexed")
		receive("The second")
		s.Close()
		if want := "The first ans\n\n(answer restarted: the corpus was indexed)\n\nThe second\n"; out.String() != want || !s.Shows("The second") {
			t.Errorf("styled %v: shown %q, want %q", styled, out.String(), want)
		}
	}
}

func TestStream(t *testing.T) {
	t.Parallel()
	for _, styled := range []bool{true, false} {
		var out strings.Builder
		s := &Stream{w: &out, on: true}
		want := "**Bold**\n\ntwo [31m\n"
		if styled {
			s.styled = markdown.NewWriter(80, s.show)
			want = "\x1b[1mBold\x1b[0m\n\ntwo [31m\n"
		}
		started := ""
		receive := s.Receiver(func() { started += "before " + out.String() })
		for _, piece := range []string{"**Bo", "ld**\n", "\ntwo \x1b[31m"} {
			receive(piece)
		}
		s.Close()
		if out.String() != want || started != "before " || !s.Shows("**Bold** two \x1b[31m") || s.Shows("Bold") {
			t.Errorf("styled %v: shown %q, want %q; first was called %s", styled, out.String(), want, started)
		}
	}
}
