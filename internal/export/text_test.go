package export

import (
	"testing"
)

func TestSanitize(t *testing.T) {
	for text, want := range unprintable {
		if got := sanitize(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
	for _, text := range awkward {
		if got := sanitize(text); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}
