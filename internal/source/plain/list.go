package plain

import (
	"strconv"
	"strings"
)

// MaxLevel is the deepest level of a list in Word.
const MaxLevel = 8

// A List counts the paragraphs of a list.
type List struct {
	Levels [MaxLevel + 1]Level
	Counts [MaxLevel + 1]int
}

// A Level is how a level is numbered.
type Level struct {
	Format string // "bullet", "decimal", "lowerLetter" and so on
	Text   string // such as "%1.%2"
	Start  int
	Legal  bool // the numbers of the levels above are in digits too
	After  int  // it begins again after a level before this one; 0 is never
}

// NewList returns a list whose levels begin again after any level above.
func NewList() *List {
	n := &List{}
	for i := range n.Levels {
		n.Levels[i].After = i
	}
	return n
}

// CountOn means the number after the last one.
const CountOn = -1

// Next counts a paragraph and returns its number as it is shown, or "" for a bullet. The level begins
// again at from, unless that is CountOn.
func (n *List) Next(level, from int) string {
	l := &n.Levels[level]
	switch {
	case from != CountOn:
		n.Counts[level] = from
	case n.Counts[level] == 0:
		n.Counts[level] = l.Start
	default:
		n.Counts[level]++
	}
	for i := level + 1; i <= MaxLevel; i++ {
		if level < n.Levels[i].After {
			n.Counts[i] = 0
		}
	}
	if l.Format == "" || l.Format == "bullet" || l.Format == "none" {
		return ""
	}
	shown := l.Text
	for i := range level + 1 {
		format := n.Levels[i].Format
		if l.Legal {
			format = "decimal"
		}
		shown = strings.ReplaceAll(shown, "%"+strconv.Itoa(i+1), Numeral(max(n.Counts[i], n.Levels[i].Start), format))
	}
	return shown
}
