package source

import (
	"cmp"
	"encoding/xml"
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
	styles map[string]odtStyle // by family and name
	open   string              // key of the style that is being read
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
