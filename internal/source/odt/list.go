package odt

import (
	"cmp"
	"encoding/xml"
	"strings"

	"github.com/neorag/neorag/internal/source/office"
	"github.com/neorag/neorag/internal/source/plain"
)

// An odtItem is the open item of a list.
type odtItem struct {
	marked bool // its number or bullet is written, or it has none
	from   int  // the number that it has, or CountOn
}

func (r *odtReader) startList(e *xml.StartElement) {
	if e.Name.Local != "list" {
		r.item = odtItem{marked: e.Name.Local == "list-header", from: startOf(e, plain.CountOn)}
		return
	}
	name, level := office.Attr(e, "style-name"), len(r.lists)
	if name == "" && level > 0 {
		name = r.lists[level-1]
	}
	r.lists = append(r.lists, name)
	if list := r.styles.lists[name]; list != nil && level <= plain.MaxLevel && office.Attr(e, "continue-numbering") != "true" && office.Attr(e, "continue-list") == "" {
		clear(list.Counts[level:])
	}
}

// mark returns the number or the bullet that begins a paragraph, or "".
func (r *odtReader) mark(p *odtParagraph, level int) string {
	if level < 0 {
		if outline := r.styles.outline; outline != nil && p.level > 0 && !p.plain {
			return outline.Next(p.level-1, p.from)
		}
		return ""
	}
	if r.item.marked {
		return ""
	}
	r.item.marked = true
	number := ""
	if list := r.styles.lists[cmp.Or(r.lists[len(r.lists)-1], p.list)]; list != nil {
		number = list.Next(level, r.item.from)
	}
	if number == "" && p.level == 0 && len(r.tables) == 0 {
		return "-"
	}
	return number
}

// addBlock adds a block after the items of the list before it.
func (r *odtReader) addBlock(text string) {
	r.endItems()
	r.blocks = append(r.blocks, text)
}

func (r *odtReader) endItems() {
	if len(r.items) > 0 {
		r.blocks, r.items = append(r.blocks, strings.Join(r.items, "\n")), nil
	}
}
