package openai

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestStripThink(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, in, want string }{
		{"none", " plain ", "plain"},
		{"at the start", "<think>a</think>b", "b"},
		{"twice", "<think>a</think>\n<think>b</think>\nc", "c"},
		{"on a later line", "a\n<think>b</think>\nc", "a\n\nc"},
		{"without an end", "<think>a\nb", ""},
		{"without a beginning", "I wonder.\n</think>\n\nyes", "yes"},
		{"without a beginning, one line", "I wonder.</think>\nyes", "yes"},
		{"quoted in a line", "the tag <think> and </think> are tags", "the tag <think> and </think> are tags"},
		{"quoted in JSON", `{"a":"<think>x</think>"}`, `{"a":"<think>x</think>"}`},
		{"another tag", "<thinker>a", "<thinker>a"},
		{"a piece of the tag", "<thi", "<thi"},
		{"empty", "<think></think>", ""},
	} {
		if got := stripThink(c.in); got != c.want {
			t.Errorf("%s: %q becomes %q, want %q", c.name, c.in, got, c.want)
		}
	}
}

// However a text is split, the filter returns the same, and never a piece of a block.
func TestThinkFilterInPieces(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOf(rapid.SampledFrom([]string{
			"<think>", "</think>", "<", "<th", "a", "\n", " ", "</", "hidden", "é",
		})).Draw(t, "parts"), "")
		var whole, split thinkFilter
		want := whole.push(text) + whole.flush()
		var out strings.Builder
		for rest := text; rest != ""; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "cut")
			out.WriteString(split.push(rest[:n]))
			rest = rest[n:]
		}
		got := out.String() + split.flush()
		// White space after a block at the start may be kept or not.
		if strings.TrimSpace(got) != strings.TrimSpace(want) {
			t.Fatalf("%q: split %q, whole %q", text, got, want)
		}
	})
}
