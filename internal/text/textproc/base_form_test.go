package textproc

import (
	"testing"

	"github.com/neorag/neorag/internal/text/language"
)

func TestWithBaseForms(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		language   language.Language
		text, want string
	}{
		{language.English, "She led them, wept, and found what he had founded.", "She lead them, weep, and find what he had founded."},
		{language.Unknown, "Led by Ann", "lead by Ann"},
		{language.German, "Er las und fand Led.", "Er las und fand Led."},
	} {
		if got := WithBaseForms(tt.language, tt.text); got != tt.want {
			t.Errorf("%q has the base forms %q, want %q", tt.text, got, tt.want)
		}
	}
}
