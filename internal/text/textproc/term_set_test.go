package textproc

import "testing"

func TestTermSet(t *testing.T) {
	t.Parallel()
	a, b := TermSetOf("The old harbour was sold; the harbour burned."), TermSetOf("A harbour was burning")
	if len(a) != 4 {
		t.Errorf("TermSetOf: %v, want four terms, each once", a)
	}
	if got := a.Shared(b); got != 2 || b.Shared(a) != got {
		t.Errorf("Shared: %d and %d, want 2 both ways", got, b.Shared(a))
	}
	if got := a.Shared(nil); got != 0 {
		t.Errorf("Shared with nil: %d", got)
	}
}
