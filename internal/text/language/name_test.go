package language_test

import (
	"testing"

	"github.com/neorag/neorag/internal/text/language"
)

func TestName(t *testing.T) {
	t.Parallel()
	seen := map[string]language.Language{}
	for _, l := range language.All() {
		name := l.Name()
		if other, taken := seen[name]; name == "" || taken {
			t.Errorf("%s is called %q, as is %q", l, name, other)
		}
		seen[name] = l
		if got := language.NameOf(string(l)); got != name {
			t.Errorf("NameOf(%q) is %q", l, got)
		}
	}
	if got := language.NameOf("DE") + language.NameOf("Swiss German"); got != "GermanSwiss German" {
		t.Errorf("got %q", got)
	}
}
