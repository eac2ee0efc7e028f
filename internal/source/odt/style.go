package odt

import (
	"cmp"
	"encoding/xml"
	"strconv"
	"strings"

	"github.com/neorag/neorag/internal/source/office"
	"github.com/neorag/neorag/internal/source/plain"
)

// An odtStyle is a style of paragraphs or of spans.
type odtStyle struct {
	base   string // key of the style that it inherits from
	script plain.Script
	hidden bool
	list   string // name of the list style of its paragraphs
}

// odtStyles are the styles of an OpenDocument file.
type odtStyles struct {
	styles  map[string]odtStyle    // by family and name
	lists   map[string]*plain.List // by name
	outline *plain.List            // of headings
	open    string                 // key of the style that is being read
	list    *plain.List            // that is being read
}

func styleKey(family, name string) string { return family + " " + name }

// handle is an Handler for the parts that define styles.
func (o *odtStyles) handle(start *xml.StartElement, _, _ string) bool {
	if start == nil {
		return true
	}
	switch start.Name.Local {
	case "body", "master-styles":
		return false
	case "style":
		family := office.Attr(start, "family")
		o.open = styleKey(family, office.Attr(start, "name"))
		o.styles[o.open] = odtStyle{base: styleKey(family, office.Attr(start, "parent-style-name")), list: office.Attr(start, "list-style-name")}
	case "list-style", "outline-style":
		o.list = plain.NewList()
		if start.Name.Local == "list-style" {
			o.lists[office.Attr(start, "name")] = o.list
		} else {
			o.outline = o.list
		}
	case "list-level-style-number", "outline-level-style":
		o.setLevel(start)
	case "text-properties":
		s := o.styles[o.open]
		s.script, s.hidden = plain.ScriptOf(office.Attr(start, "text-position")), office.Attr(start, "display") == "none"
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
	key := styleKey(family, office.Attr(e, "style-name"))
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
	number, err := strconv.Atoi(office.Attr(e, "level"))
	if err != nil || number < 1 || number > plain.MaxLevel+1 || o.list == nil {
		return
	}
	var shown []string
	for i := max(0, number-repeats(e, "display-levels")); i < number; i++ {
		if i == number-1 || o.list.Levels[i].Format != "none" {
			shown = append(shown, "%"+strconv.Itoa(i+1))
		}
	}
	o.list.Levels[number-1] = plain.Level{
		Format: cmp.Or(odtFormats[office.Attr(e, "num-format")], "decimal"),
		Text:   office.Attr(e, "num-prefix") + strings.Join(shown, ".") + office.Attr(e, "num-suffix"),
		Start:  startOf(e, 1),
		After:  number - 1,
	}
}
