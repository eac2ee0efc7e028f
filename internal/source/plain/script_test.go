package plain

import "testing"

// Raised and lowered text is written the same in all formats.
func TestRaisedAndLoweredText(t *testing.T) {
	t.Parallel()
	type part struct {
		text string
		as   Script
	}
	for _, tc := range []struct {
		parts []part
		want  string
	}{
		{[]part{{"10", OnLine}, {"6", Raised}, {" litres", OnLine}}, "10⁶ litres"},
		{[]part{{"10", OnLine}, {"-", Raised}, {"1", Raised}, {"2 ", Raised}, {"m", OnLine}}, "10⁻¹² m"},
		{[]part{{"CO", OnLine}, {"2", Lowered}, {", log", OnLine}, {"1", Lowered}, {"0", Lowered}, {"8", OnLine}}, "CO2, log₁₀8"},
		{[]part{{"x", OnLine}, {"n", Raised}, {", the 1", OnLine}, {"st", Raised}, {" day", OnLine}}, "x^n, the 1st day"},
		{[]part{{"1", Raised}, {" A note", OnLine}}, "1 A note"},
		{[]part{{"", Lowered}, {"2", Lowered}, {"3", OnLine}}, "23"},
	} {
		var l Line
		for _, p := range tc.parts {
			l.WriteScript(p.text, p.as)
		}
		if got := string(l.Bytes); got != tc.want {
			t.Errorf("%v: %q, want %q", tc.parts, got, tc.want)
		}
	}
}
