package neobrowser

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/neorag/neorag/internal/communitycolor"
)

// A sheet is a GraSS style sheet. The Browser applies its rules in their order,
// so that a later rule wins, and reads comments as part of a rule: there are none.
type sheet struct{ strings.Builder }

// paddings is how many rules use up the colours that the Browser gives by
// itself: it appends one for every label that has none, and that would win.
const paddings = 12

// newSheet begins with the rules that hold for everything.
func newSheet() *sheet {
	s := &sheet{}
	s.WriteString("node {diameter: 50px; " + fill(communitycolor.None) + " border-width: 2px; font-size: 10px; caption: '{name}';}\n" +
		"relationship {color: #B7BCC6; shaft-width: 1px; font-size: 8px; padding: 3px; text-color-external: #5A6270; text-color-internal: #FFFFFF; caption: '<type>';}\n" +
		"relationship.RELATED {shaft-width: 2px; caption: '{weight}';}\n")
	for i := range paddings {
		s.node(fmt.Sprintf("pad%d", i), fill(communitycolor.None))
	}
	return s
}

// node adds a rule for nodes with the label. The Browser cannot read all
// labels; one that it cannot has no rule.
func (s *sheet) node(label string, declarations ...string) {
	if selector(label) {
		s.WriteString("node." + label + " {" + strings.Join(declarations, " ") + "}\n")
	}
}

// selector reports whether the Browser reads a label as one word. A quote or a
// brace would swallow the rules that follow.
func selector(label string) bool {
	return label != "" && !strings.ContainsFunc(label, func(r rune) bool {
		return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
}

// fill is a colour with what is read on it.
func fill(c communitycolor.Color) string {
	return fmt.Sprintf("color: %s; border-color: %s; text-color-internal: %s;", c.Hex(), c.Border().Hex(), c.Ink())
}

// look is size and caption.
func look(diameter, font int, caption string) string {
	return fmt.Sprintf("diameter: %dpx; font-size: %dpx; caption: '{%s}';", diameter, font, caption)
}
