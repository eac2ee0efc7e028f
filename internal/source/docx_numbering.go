package source

import (
	"encoding/xml"
	"strconv"
	"strings"
)

// maxListLevel is the deepest level of a list in Word.
const maxListLevel = 8

// A docxNumbering counts the paragraphs of numbered lists.
type docxNumbering struct {
	lists    map[string]*docxList  // by the id of the abstract list
	abstract map[string]string     // the id of the abstract list of each list
	restarts map[numberedLevel]int // where lists begin that do not continue the one before of their kind
}

type docxList struct {
	levels [maxListLevel + 1]docxListLevel
	counts [maxListLevel + 1]int
}

// A numberedLevel is a level of one list.
type numberedLevel struct {
	number string
	level  int
}

// A docxListLevel is how a level is numbered.
type docxListLevel struct {
	format string // "bullet", "decimal", "lowerLetter" and so on
	text   string // such as "%1.%2"
	start  int
}

// handler handles the part that defines lists.
func (n *docxNumbering) handler() xmlHandler {
	n.lists, n.abstract, n.restarts = map[string]*docxList{}, map[string]string{}, map[numberedLevel]int{}
	var list *docxList
	var level *docxListLevel
	number, override := "", 0
	return func(start *xml.StartElement, _, _ string) bool {
		if start == nil {
			return true
		}
		value := attr(start, "val")
		switch start.Name.Local {
		case "abstractNum":
			list = &docxList{}
			n.lists[attr(start, "abstractNumId")] = list
		case "num":
			list, level, number = nil, nil, attr(start, "numId")
		case "abstractNumId":
			n.abstract[number] = value
		case "lvlOverride":
			override, _ = strconv.Atoi(attr(start, "ilvl"))
		case "startOverride":
			if from, err := strconv.Atoi(value); err == nil && number != "" && override >= 0 && override <= maxListLevel {
				n.restarts[numberedLevel{number, override}] = from
			}
		case "lvl":
			level = nil
			if i, err := strconv.Atoi(attr(start, "ilvl")); err == nil && i >= 0 && i <= maxListLevel && list != nil {
				level = &list.levels[i]
				level.start = 1
			}
		case "start", "numFmt", "lvlText":
			if level != nil {
				level.set(start.Name.Local, value)
			}
		}
		return true
	}
}

func (l *docxListLevel) set(name, value string) {
	switch name {
	case "start":
		if n, err := strconv.Atoi(value); err == nil {
			l.start = n
		}
	case "numFmt":
		l.format = value
	case "lvlText":
		l.text = value
	}
}

// next counts a paragraph of a list and returns its number as it is shown, or "" for a bullet, or
// for a list that is not defined.
func (n *docxNumbering) next(number string, level int) string {
	list := n.lists[n.abstract[number]]
	if list == nil || level < 0 || level > maxListLevel {
		return ""
	}
	l := &list.levels[level]
	if from, found := n.restarts[numberedLevel{number, level}]; found { // at the first paragraph of the list
		list.counts[level] = from
		delete(n.restarts, numberedLevel{number, level})
	} else if list.counts[level] == 0 {
		list.counts[level] = l.start
	} else {
		list.counts[level]++
	}
	for i := level + 1; i <= maxListLevel; i++ {
		list.counts[i] = 0
	}
	if l.format == "" || l.format == "bullet" || l.format == "none" {
		return ""
	}
	shown := l.text
	for i := range level + 1 {
		shown = strings.ReplaceAll(shown, "%"+strconv.Itoa(i+1), numeral(max(list.counts[i], list.levels[i].start), list.levels[i].format))
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
