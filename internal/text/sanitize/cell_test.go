package sanitize

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestCell(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "plain", "a=b", "1-2", "0", "-1", "+1.5", "-.5e-10", "3.", "it's", " padded ", "'=1", "x\t=1", "100%", "—", "(1)"} {
		if got := Cell(text); got != text {
			t.Errorf("Cell(%q): got %q, want it unchanged", text, got)
		}
	}
	for _, text := range []string{
		"=cmd|'/c calc'!A1", "+1+1", "-1+1", "-", "@SUM(A1)", "\tx", "\rx", "＝1", "＋1", "－1", "＠x", "﹦1", " =1", "\n=1", "\ufeff=1", "\u200b=1", "\x00=1", "-Inf", "+49 30 1", "=",
	} {
		if got := Cell(text); got != "'"+text {
			t.Errorf("Cell(%q): got %q, want an apostrophe before it", text, got)
		}
	}
}

// TestCellStartsNoFormula: no cell starts with a character of formulas but a plain number,
// and nothing but an apostrophe is added.
func TestCellStartsNoFormula(t *testing.T) {
	t.Parallel()
	pieces := rapid.SampledFrom([]string{"=", "+", "-", "@", "\t", "\r", "\n", " ", "＝", "－", "1", ".5", "e", "a", "'", "\u200b", "\u00a0", ",", `"`})
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(pieces, 0, 8).Draw(t, "pieces"), "")
		cell := Cell(text)
		if strings.TrimPrefix(cell, "'") != strings.TrimPrefix(text, "'") {
			t.Fatalf("Cell(%q): got %q", text, cell)
		}
		number := strings.Trim(cell, "0123456789.e+-") == "" && strings.ContainsAny(cell, "0123456789")
		trimmed := strings.TrimLeft(cell, " \t\r\n\u200b\u00a0")
		if strings.IndexAny(cell, "\t\r") == 0 || !number && strings.IndexAny(trimmed, "=+-@＝－") == 0 {
			t.Fatalf("Cell(%q) = %q starts a formula", text, cell)
		}
		if plain := strings.Trim(text, "0123456789") == ""; plain && cell != text {
			t.Fatalf("Cell(%q) = %q changes a number", text, cell)
		}
	})
}
