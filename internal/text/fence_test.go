package text_test

import (
	"testing"

	"github.com/neorag/neorag/internal/text"
)

func TestFence(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"```": "```", "````go": "````", "~~~ a~b": "~~~", "``": "", "```a`": "", "text ```": "", "": "",
	} {
		if got := text.Fence(line); got != want {
			t.Errorf("Fence(%q) = %q, want %q", line, got, want)
		}
	}
	for line, want := range map[string]bool{"```": true, "`````": true, "``": false, "~~~": false, "```go": false} {
		if got := text.ClosesFence(line, "```"); got != want {
			t.Errorf("ClosesFence(%q) = %t", line, got)
		}
	}
}
