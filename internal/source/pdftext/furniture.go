package pdftext

import (
	"regexp"
	"slices"
	"strings"
)

const (
	marginShare  = .12 // of the height of a page: where headers and footers are
	minRepeats   = 3   // pages
	repeatsShare = .3  // of the pages
)

var (
	numberPattern     = regexp.MustCompile(`\d+|\b[ivxlc]+\b`)
	pageNumberPattern = regexp.MustCompile(`(?i)^\W*(?:page |seite |p\. ?)?#(?: ?(?:of|von|/) ?#)?\W*$`)
)

// A placed is a line at the edge of a page, whose numbers are replaced.
type placed struct {
	text string
	top  bool
}

// withoutFurniture drops the headers and footers of pages: lines near an edge that many pages
// have there, with other numbers at most, and numbers of pages.
func withoutFurniture(lines []line, pages int) []line {
	if pages < minRepeats {
		return lines
	}
	onPages := map[placed]int{}
	counted := map[placed]int{} // the last page on which one was counted
	for _, l := range lines {
		p, ok := edge(l)
		if !ok || counted[p] == l.page {
			continue
		}
		counted[p] = l.page
		onPages[p]++
	}
	least := max(minRepeats, int(repeatsShare*float64(pages)))
	return slices.DeleteFunc(slices.Clone(lines), func(l line) bool {
		p, ok := edge(l)
		if !ok {
			return false
		}
		return onPages[p] >= least || onPages[p] >= minRepeats && pageNumberPattern.MatchString(p.text)
	})
}

// edge returns the place of a line that is near the upper or lower edge of its page.
func edge(l line) (placed, bool) {
	if l.box.bottom < (1-marginShare)*l.height && l.box.top > marginShare*l.height {
		return placed{}, false
	}
	return placed{text: numberPattern.ReplaceAllString(strings.ToLower(l.text), "#"), top: l.box.bottom > l.height/2}, true
}
