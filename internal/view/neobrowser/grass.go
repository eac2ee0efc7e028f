package neobrowser

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/neorag/neorag/internal/view/communitycolor"
)

// A sheet is a GraSS style sheet. A later rule overrides an earlier one. The Browser reads
// a comment as part of a rule, so the file has none.
type sheet struct{ strings.Builder }

// defaultColors is the number of colours that the Browser assigns to labels without a
// rule. It appends these rules, which would override ours. Rules for as many labels that
// do not exist use the colours up.
const defaultColors = 12

// newSheet returns a sheet with the rules for all nodes and relationships.
func newSheet() *sheet {
	s := &sheet{}
	s.WriteString("node {diameter: 50px; " + fill(communitycolor.None) + " border-width: 2px; font-size: 10px; caption: '{name}';}\n" +
		"relationship {color: #B7BCC6; shaft-width: 1px; font-size: 8px; padding: 3px; text-color-external: #5A6270; text-color-internal: #FFFFFF; caption: '<type>';}\n" +
		"relationship.RELATED {shaft-width: 2px; caption: '{weight}';}\n")
	for i := range defaultColors {
		s.node(fmt.Sprintf("pad%d", i), fill(communitycolor.None))
	}
	return s
}

// node adds a rule for nodes with a label, unless the Browser cannot read the label.
func (s *sheet) node(label string, declarations ...string) {
	if isSelector(label) {
		s.WriteString("node." + strings.ReplaceAll(label, ".", `\.`) + " {" + strings.Join(declarations, " ") + "}\n")
	}
}

// isSelector reports whether the Browser reads a label as one word, once its dots are escaped.
// A quote or a brace would end the rule early and damage those after it.
func isSelector(label string) bool {
	return label != "" && !strings.ContainsFunc(label, func(r rune) bool {
		return !strings.ContainsRune("_-.", r) && !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r)
	})
}

// fill returns the declarations of a colour, with a border and a text colour that fit.
func fill(c communitycolor.Color) string {
	return fmt.Sprintf("color: %s; border-color: %s; text-color-internal: %s;", c.Hex(), c.Border().Hex(), c.Ink())
}

// shape returns the declarations of size and caption.
func shape(diameter, font int, caption string) string {
	return fmt.Sprintf("diameter: %dpx; font-size: %dpx; caption: '{%s}';", diameter, font, caption)
}
