package pdftext

import (
	"cmp"
	"slices"
	"unicode"

	"golang.org/x/text/unicode/bidi"
)

// orderRightToLeft puts glyphs of Arabic, Hebrew and the like in the order of reading, by their
// places: files draw them in any order. It returns the glyphs, of which marks are joined to their
// letters.
func orderRightToLeft(glyphs []glyph) []glyph {
	rightToLeft, letters := 0, 0
	for _, g := range glyphs {
		if isRightToLeft(g.r) {
			rightToLeft++
		}
		if unicode.IsLetter(g.r) {
			letters++
		}
	}
	if rightToLeft == 0 {
		return glyphs
	}
	glyphs = joinMarks(glyphs)
	if 2*rightToLeft > letters {
		reorder(glyphs)
		return glyphs
	}
	for from := 0; from < len(glyphs); from++ {
		if !isRightToLeft(glyphs[from].r) {
			continue
		}
		to := from + 1 // after the last of the run
		for i := to; i < len(glyphs) && !isLeftToRight(glyphs[i].r); i++ {
			if isRightToLeft(glyphs[i].r) {
				to = i + 1
			}
		}
		reorder(glyphs[from:to])
		from = to
	}
	return glyphs
}

// joinMarks appends marks such as vowels to the letters before them.
func joinMarks(glyphs []glyph) []glyph {
	out := glyphs[:0]
	for _, g := range glyphs {
		if n := len(out); n > 0 && unicode.Is(unicode.M, g.r) {
			out[n-1].text += g.text
			continue
		}
		out = append(out, g)
	}
	return out
}

// reorder sorts glyphs of one line from right to left, but numbers and words of other scripts from
// left to right.
func reorder(glyphs []glyph) {
	for i := 1; i < len(glyphs); i++ {
		if _, known := gap(glyphs[0], glyphs[i]); !known && glyphs[i].box.bottom > glyphs[0].box.top {
			return // not one line
		}
	}
	first := glyphs[0]
	slices.SortStableFunc(glyphs, func(a, b glyph) int { return cmp.Compare(b.box.left+b.box.right, a.box.left+a.box.right) })
	for i := range glyphs { // where spaces were says nothing in another order
		glyphs[i].space, glyphs[i].likely = false, true
	}
	for from := 0; from < len(glyphs); from++ {
		to := from
		for i := from; i < len(glyphs) && !isRightToLeft(glyphs[i].r); i++ {
			if isLeftToRight(glyphs[i].r) {
				if to == from {
					from = i
				}
				to = i + 1
			}
		}
		if to > from {
			slices.Reverse(glyphs[from:to])
			joinRun(glyphs, from, to)
			from = to
		}
	}
	glyphs[0].space, glyphs[0].likely = first.space, first.likely
}

// joinRun notes where there is no space before and after a run from left to right, whose edges are
// not next to the glyphs around it in the order of reading.
func joinRun(glyphs []glyph, from, to int) {
	near := func(right, left glyph) bool { return right.box.left-left.box.right < likelySpace*left.box.height() }
	if from > 0 && near(glyphs[from-1], glyphs[to-1]) {
		glyphs[from].joined = true
	}
	if to < len(glyphs) && near(glyphs[from], glyphs[to]) {
		glyphs[to].joined = true
	}
}

func isRightToLeft(r rune) bool { return isOfClass(r, bidi.R, bidi.AL) }

// isLeftToRight reports whether a character is a letter of another script or a digit.
func isLeftToRight(r rune) bool { return isOfClass(r, bidi.L, bidi.EN, bidi.AN) }

func isOfClass(r rune, classes ...bidi.Class) bool {
	p, _ := bidi.LookupRune(r)
	return slices.Contains(classes, p.Class())
}
