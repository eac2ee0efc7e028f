package markdown

import (
	"testing"
)

func TestSanitize(t *testing.T) {
	t.Parallel()
	if got := Sanitize("a\x1b[31mb\x1b]0;t\a\u202ec\u009bd\r\n\te"); got != "a[31mb]0;tcd\n\te" {
		t.Errorf("got %q", got)
	}
}
