package text

import "testing"

func TestSuperscript(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		in, up, down string
		ok           bool
	}{{"6", "⁶", "₆", true}, {"-12", "⁻¹²", "₋₁₂", true}, {"st", "", "", false}, {"", "", "", false}} {
		if up, ok := Superscript(tc.in); up != tc.up || ok != tc.ok {
			t.Errorf("Superscript(%q) = %q, %t", tc.in, up, ok)
		}
		if down, ok := Subscript(tc.in); down != tc.down || ok != tc.ok {
			t.Errorf("Subscript(%q) = %q, %t", tc.in, down, ok)
		}
	}
}
