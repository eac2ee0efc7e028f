package slides

import (
	"encoding/xml"
	"strconv"
	"strings"

	"github.com/neorag/neorag/internal/source/office"
	"github.com/neorag/neorag/internal/source/plain"
)

// slideNumbers counts the numbered paragraphs of a shape.
type slideNumbers struct {
	kind   string // of the open paragraph, such as "alphaLcParenR"; "" if it has no number
	level  int
	start  int
	counts [plain.MaxLevel + 1]int
}

// setProperty sets a property of the open paragraph.
func (s *slideNumbers) setProperty(e *xml.StartElement) {
	if e.Name.Local == "pPr" {
		level, _ := strconv.Atoi(office.Attr(e, "lvl")) // an invalid level is 0
		s.level = max(0, min(level, plain.MaxLevel))
		return
	}
	start, _ := strconv.Atoi(office.Attr(e, "startAt"))
	s.kind, s.start = office.Attr(e, "type"), max(start, 1)
}

// next counts a paragraph and returns its number with a space, or "" for one without a number.
func (s *slideNumbers) next() string {
	if s.kind == "" {
		clear(s.counts[s.level:])
		return ""
	}
	clear(s.counts[s.level+1:])
	if s.counts[s.level]++; s.counts[s.level] == 1 {
		s.counts[s.level] = s.start
	}
	format := "decimal"
	for prefix, name := range map[string]string{"alphaLc": "lowerLetter", "alphaUc": "upperLetter", "romanLc": "lowerRoman", "romanUc": "upperRoman"} {
		if strings.HasPrefix(s.kind, prefix) {
			format = name
		}
	}
	number := plain.Numeral(s.counts[s.level], format)
	switch {
	case strings.HasSuffix(s.kind, "ParenBoth"):
		return "(" + number + ") "
	case strings.HasSuffix(s.kind, "ParenR"):
		return number + ") "
	case strings.HasSuffix(s.kind, "Period"):
		return number + ". "
	}
	return number + " "
}
