package source

import (
	"encoding/xml"
	"strconv"
)

// A docxNumbering counts the paragraphs of numbered lists.
type docxNumbering struct {
	lists    map[string]*numberedList // by the id of the abstract list
	abstract map[string]string        // the id of the abstract list of each list
	restarts map[numberedLevel]int    // where lists begin that do not continue the one before of their kind
}

// A numberedLevel is a level of one list.
type numberedLevel struct {
	number string
	level  int
}

// handler handles the part that defines lists.
func (n *docxNumbering) handler() xmlHandler {
	n.lists, n.abstract, n.restarts = map[string]*numberedList{}, map[string]string{}, map[numberedLevel]int{}
	var list *numberedList
	var level *listLevel
	number, override := "", 0
	return func(start *xml.StartElement, _, _ string) bool {
		if start == nil {
			return true
		}
		value := attr(start, "val")
		switch start.Name.Local {
		case "abstractNum":
			list = &numberedList{}
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

func (l *listLevel) set(name, value string) {
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
	from, found := n.restarts[numberedLevel{number, level}]
	if !found {
		return list.next(level, countOn)
	}
	delete(n.restarts, numberedLevel{number, level}) // it is for the first paragraph of the list
	return list.next(level, from)
}
