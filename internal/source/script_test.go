package source

import "testing"

// Raised and lowered text is written the same in all formats.
func TestRaisedAndLoweredText(t *testing.T) {
	t.Parallel()
	type part struct {
		text string
		as   script
	}
	for _, tc := range []struct {
		parts []part
		want  string
	}{
		{[]part{{"10", onLine}, {"6", raised}, {" litres", onLine}}, "10⁶ litres"},
		{[]part{{"10", onLine}, {"-", raised}, {"1", raised}, {"2 ", raised}, {"m", onLine}}, "10⁻¹² m"},
		{[]part{{"CO", onLine}, {"2", lowered}, {", log", onLine}, {"1", lowered}, {"0", lowered}, {"8", onLine}}, "CO2, log₁₀8"},
		{[]part{{"x", onLine}, {"n", raised}, {", the 1", onLine}, {"st", raised}, {" day", onLine}}, "x^n, the 1st day"},
		{[]part{{"1", raised}, {" A note", onLine}}, "1 A note"},
		{[]part{{"", lowered}, {"2", lowered}, {"3", onLine}}, "23"},
	} {
		var l lineText
		for _, p := range tc.parts {
			l.writeScript(p.text, p.as)
		}
		if got := string(l.bytes); got != tc.want {
			t.Errorf("%v: %q, want %q", tc.parts, got, tc.want)
		}
	}
}
