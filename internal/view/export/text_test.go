package export

import (
	"testing"
)

func TestStorable(t *testing.T) {
	for text, want := range unprintable {
		if got := storable(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
	for _, text := range awkward {
		if got := storable(text); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}
