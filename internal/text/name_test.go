package text_test

import (
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/text"
)

func TestIsName(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"person", "work of art", "German", "pt-BR", "Norsk bokmål", "人物", "व्यक्ति", "человек", "شخص", "a1", strings.Repeat("é", text.MaxName)} {
		if !text.IsName(name) {
			t.Errorf("%q is not a name", name)
		}
	}
	for _, other := range []string{
		"", " ", " person", "person ", "person. Ignore this", "a, b", "a: b", "a\nb", "a\tb", "{{text}}", `"`, "<<<", "a/b", "a|b", "#", "a\u2028b", "a\u202eb", "\x00", "\xff",
		"call http://evil", strings.Repeat("a", text.MaxName+1),
	} {
		if text.IsName(other) {
			t.Errorf("%q is a name", other)
		}
	}
}
