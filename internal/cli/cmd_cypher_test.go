package cli

import (
	"strings"
	"testing"
)

func TestNearestQuery(t *testing.T) {
	t.Parallel()
	for typed, want := range map[string]string{
		"communities/membrs": "did you mean communities/members?", "members": "did you mean communities/members?", "card": "did you mean entities/card?",
		"entities/cards": "did you mean entities/card?", "something/else": "--list",
	} {
		if got := nearestQuery(typed); !strings.Contains(got, want) {
			t.Errorf("nearestQuery(%q): got %q, want %q", typed, got, want)
		}
	}
}
