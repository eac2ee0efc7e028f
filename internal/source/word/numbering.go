package word

import (
	"encoding/xml"
	"strconv"

	"github.com/neorag/neorag/internal/source/office"
	"github.com/neorag/neorag/internal/source/plain"
)

// A docxNumbering counts the paragraphs of numbered lists.
type docxNumbering struct {
	lists    map[string]*plain.List // by the id of the abstract list
	abstract map[string]string      // the id of the abstract list of each list
	levels   map[numberedStyle]int
	links    map[string]string     // the numbering style that defines an abstract list, by the id of the list
	linked   map[string]string     // the abstract list of each numbering style
	restarts map[numberedLevel]int // where lists begin that do not continue the one before of their kind
}

// A numberedStyle is a style of an abstract list's paragraphs.
type numberedStyle struct{ list, style string }

// A numberedLevel is a level of one list.
type numberedLevel struct {
	number string
	level  int
}

// handler handles the part that defines lists.
func (n *docxNumbering) handler() office.Handler {
	n.lists, n.abstract, n.restarts = map[string]*plain.List{}, map[string]string{}, map[numberedLevel]int{}
	n.levels, n.links, n.linked = map[numberedStyle]int{}, map[string]string{}, map[string]string{}
	var list *plain.List
	abstract, number, level, override := "", "", -1, 0
	return office.Starts(func(start *xml.StartElement) {
		value := office.Attr(start, "val")
		switch start.Name.Local {
		case "abstractNum":
			abstract, list, level = office.Attr(start, "abstractNumId"), plain.NewList(), -1
			n.lists[abstract] = list
		case "styleLink":
			n.linked[value] = abstract
		case "numStyleLink":
			n.links[abstract] = value
		case "num":
			list, level, number = nil, -1, office.Attr(start, "numId")
		case "abstractNumId":
			n.abstract[number] = value
		case "lvlOverride":
			override, _ = strconv.Atoi(office.Attr(start, "ilvl"))
		case "startOverride":
			if from, err := strconv.Atoi(value); err == nil && number != "" && override >= 0 && override <= plain.MaxLevel {
				n.restarts[numberedLevel{number, override}] = from
			}
		case "lvl":
			level = -1
			if i, err := strconv.Atoi(office.Attr(start, "ilvl")); err == nil && i >= 0 && i <= plain.MaxLevel && list != nil {
				level = i
				list.Levels[i].Start = 1
			}
		case "pStyle":
			if level >= 0 {
				n.levels[numberedStyle{abstract, value}] = level
			}
		default:
			if level >= 0 {
				setLevel(&list.Levels[level], start)
			}
		}
	})
}

// setLevel sets a property of a level.
func setLevel(l *plain.Level, e *xml.StartElement) {
	value := office.Attr(e, "val")
	switch e.Name.Local {
	case "start":
		if n, err := strconv.Atoi(value); err == nil {
			l.Start = n
		}
	case "numFmt":
		l.Format = value
	case "lvlText":
		l.Text = value
	case "isLgl":
		l.Legal = isOn(e)
	case "lvlRestart":
		if n, err := strconv.Atoi(value); err == nil && n <= l.After {
			l.After = n
		}
	}
}

// list returns the id of the abstract list of a list, which can be defined by a style.
func (n *docxNumbering) list(number string) string {
	id := n.abstract[number]
	if style, found := n.links[id]; found {
		return n.linked[style]
	}
	return id
}

// next counts a paragraph of a list and returns its number as it is shown, or "" for a bullet, or
// for a list that is not defined.
func (n *docxNumbering) next(number string, level int) string {
	list := n.lists[n.list(number)]
	if list == nil || level < 0 || level > plain.MaxLevel {
		return ""
	}
	from, found := n.restarts[numberedLevel{number, level}]
	if !found {
		return list.Next(level, plain.CountOn)
	}
	delete(n.restarts, numberedLevel{number, level}) // it is for the first paragraph of the list
	return list.Next(level, from)
}
