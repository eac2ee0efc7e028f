package pdftext

import (
	"cmp"
	"math"
	"slices"
	"testing"
	"unicode"
)

// lineInOrder returns the text of a line of glyphs that are drawn in an order. at are the places of
// the letters of the text.
func lineInOrder(text []rune, at []float64, order []int) string {
	var glyphs []glyph
	last := 0
	for _, i := range order {
		if r := text[i]; r != ' ' {
			far := math.Abs(at[i]-at[last]) > 10 // where PDFium adds a space
			glyphs = append(glyphs, glyph{text: string(r), r: r, box: rect{at[i], 700, at[i] + 10, 712}, likely: len(glyphs) > 0 && far})
			last = i
		}
	}
	return lineOf(glyphs).text
}

// TestRightToLeft reads texts whose letters are drawn from right to left, from left to right, and
// word by word with the letters of each from left to right.
func TestRightToLeft(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"דוד גר ב12 ערים", "يعمل أحمد في Kiel منذ 1921", "גר", "David דוד כהן Kiel"} {
		text := []rune(s)
		rightToLeft := !unicode.Is(unicode.Latin, text[0])
		at := make([]float64, len(text))
		for i := range at {
			if at[i] = 10 * float64(i); rightToLeft {
				at[i] = 500 - 10*float64(i)
			}
		}
		// Runs of the other direction stand the other way round.
		for from := 0; from < len(text); from++ {
			to := from
			for to < len(text) && isRightToLeft(text[to]) != rightToLeft && text[to] != ' ' || to > from && to < len(text) && !rightToLeft && text[to] == ' ' && to+1 < len(text) && isRightToLeft(text[to+1]) {
				to++
			}
			if to > from {
				slices.Reverse(at[from:to])
				from = to
			}
		}
		logical := make([]int, len(text))
		for i := range logical {
			logical[i] = i
		}
		byPlace := func(a, b int) int { return cmp.Compare(at[a], at[b]) }
		visual := slices.Clone(logical)
		slices.SortFunc(visual, byPlace)
		words := slices.Clone(logical)
		for from := 0; from < len(text); {
			to := from
			for to < len(text) && text[to] != ' ' {
				to++
			}
			slices.SortFunc(words[from:to], byPlace)
			from = to + 1
		}
		for name, order := range map[string][]int{"logical": logical, "visual": visual, "words": words} {
			if got := lineInOrder(text, at, order); got != s {
				t.Errorf("%s order: %q, want %q", name, got, s)
			}
		}
	}
}
