package language_test

import (
	"testing"

	"github.com/neorag/neorag/internal/text/language"
)

func TestJoin(t *testing.T) {
	t.Parallel()
	for l, want := range map[language.Language][4]string{
		language.English: {"", "A", "A and B", "A, B and C"},
		language.Unknown: {"", "A", "A and B", "A, B and C"},
		language.German:  {"", "A", "A und B", "A, B und C"},
		language.Chinese: {"", "A", "A和B", "A、B和C"},
		language.Korean:  {"", "A", "A, B", "A, B, C"},
	} {
		for n, joined := range want {
			if got := l.Join([]string{"A", "B", "C"}[:n]); got != joined {
				t.Errorf("%q joins %d words as %q, want %q", l, n, got, joined)
			}
		}
	}
}
