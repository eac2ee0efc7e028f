package source

import (
	"strconv"
	"strings"
)

// maxListLevel is the deepest level of a list in Word.
const maxListLevel = 8

// A numberedList counts the paragraphs of a list.
type numberedList struct {
	levels [maxListLevel + 1]listLevel
	counts [maxListLevel + 1]int
}

// A listLevel is how a level is numbered.
type listLevel struct {
	format string // "bullet", "decimal", "lowerLetter" and so on
	text   string // such as "%1.%2"
	start  int
}

// countOn means the number after the last one.
const countOn = -1

// next counts a paragraph and returns its number as it is shown, or "" for a bullet. The level begins
// again at from, unless that is countOn.
func (n *numberedList) next(level, from int) string {
	l := &n.levels[level]
	switch {
	case from != countOn:
		n.counts[level] = from
	case n.counts[level] == 0:
		n.counts[level] = l.start
	default:
		n.counts[level]++
	}
	clear(n.counts[level+1:])
	if l.format == "" || l.format == "bullet" || l.format == "none" {
		return ""
	}
	shown := l.text
	for i := range level + 1 {
		shown = strings.ReplaceAll(shown, "%"+strconv.Itoa(i+1), numeral(max(n.counts[i], n.levels[i].start), n.levels[i].format))
	}
	return shown
}

// numeral writes a number in a format of Word.
func numeral(n int, format string) string {
	switch {
	case n < 1:
		return strconv.Itoa(n)
	case format == "lowerLetter" || format == "upperLetter":
		s := strings.Repeat(string(rune('a'+(n-1)%26)), min(4, 1+(n-1)/26))
		if format == "upperLetter" {
			s = strings.ToUpper(s)
		}
		return s
	case (format == "lowerRoman" || format == "upperRoman") && n < 4000:
		s := roman(n)
		if format == "lowerRoman" {
			s = strings.ToLower(s)
		}
		return s
	}
	return strconv.Itoa(n)
}

func roman(n int) string {
	var b strings.Builder
	for _, r := range []struct {
		value int
		text  string
	}{{1000, "M"}, {900, "CM"}, {500, "D"}, {400, "CD"}, {100, "C"}, {90, "XC"}, {50, "L"}, {40, "XL"}, {10, "X"}, {9, "IX"}, {5, "V"}, {4, "IV"}, {1, "I"}} {
		for ; n >= r.value; n -= r.value {
			b.WriteString(r.text)
		}
	}
	return b.String()
}
