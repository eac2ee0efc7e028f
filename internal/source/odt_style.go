package source

import (
	"cmp"
	"encoding/xml"
	"strconv"
	"strings"
)

// An odtStyle is a style of paragraphs or of spans.
type odtStyle struct {
	base   string // key of the style that it inherits from
	script script
	hidden bool
	list   string // name of the list style of its paragraphs
}

// odtStyles are the styles of an OpenDocument file.
type odtStyles struct {
	styles  map[string]odtStyle      // by family and name
	lists   map[string]*numberedList // by name
	outline *numberedList            // of headings
	open    string                   // key of the style that is being read
	list    *numberedList            // that is being read
}

func newODTStyles() *odtStyles {
	return &odtStyles{styles: map[string]odtStyle{}, lists: map[string]*numberedList{}}
}

func styleKey(family, name string) string { return family + " " + name }

// handle is an xmlHandler for the parts that define styles.
func (o *odtStyles) handle(start *xml.StartElement, _, _ string) bool {
	if start == nil {
		return true
	}
	switch start.Name.Local {
	case "body", "master-styles":
		return false
	case "style":
		family := attr(start, "family")
		o.open = styleKey(family, attr(start, "name"))
		o.styles[o.open] = odtStyle{base: styleKey(family, attr(start, "parent-style-name")), list: attr(start, "list-style-name")}
	case "list-style", "outline-style":
		o.list = newNumberedList()
		if start.Name.Local == "list-style" {
			o.lists[attr(start, "name")] = o.list
		} else {
			o.outline = o.list
		}
	case "list-level-style-number", "outline-level-style":
		o.setLevel(start)
	case "text-properties":
		s := o.styles[o.open]
		s.script, s.hidden = scriptOf(attr(start, "text-position")), attr(start, "display") == "none"
		o.styles[o.open] = s
	}
	return true
}

// of returns the style of an element with what it inherits.
func (o *odtStyles) of(e *xml.StartElement) odtStyle {
	family := "paragraph"
	if e.Name.Local == "span" {
		family = "text"
	}
	var out odtStyle
	key := styleKey(family, attr(e, "style-name"))
	for range 16 {
		s, known := o.styles[key]
		if !known {
			break
		}
		out.script, out.hidden, out.list = cmp.Or(out.script, s.script), out.hidden || s.hidden, cmp.Or(out.list, s.list)
		key = s.base
	}
	return out
}

// odtFormats are the names in Word of the formats of numbers.
var odtFormats = map[string]string{"": "none", "a": "lowerLetter", "A": "upperLetter", "i": "lowerRoman", "I": "upperRoman", "01, 02, 03, ...": "decimalZero", "一, 二, 三, ...": "chineseCounting"}

// setLevel sets a level of the list that is being read.
func (o *odtStyles) setLevel(e *xml.StartElement) {
	number, err := strconv.Atoi(attr(e, "level"))
	if err != nil || number < 1 || number > maxListLevel+1 || o.list == nil {
		return
	}
	var shown []string
	for i := max(0, number-repeats(e, "display-levels")); i < number; i++ {
		if i == number-1 || o.list.levels[i].format != "none" {
			shown = append(shown, "%"+strconv.Itoa(i+1))
		}
	}
	o.list.levels[number-1] = listLevel{
		format: cmp.Or(odtFormats[attr(e, "num-format")], "decimal"),
		text:   attr(e, "num-prefix") + strings.Join(shown, ".") + attr(e, "num-suffix"),
		start:  startOf(e, 1),
		after:  number - 1,
	}
}
