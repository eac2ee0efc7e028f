package textproc

import "github.com/neorag/neorag/internal/text/language"

// PassageSize is the default number of terms of a passage. Stop words are not terms, so a
// passage has about 100 words of a chat log, or 70 of a web page.
const PassageSize = 60

// A Passage is the terms of consecutive lines, and the bytes of the source that they
// came from.
type Passage struct {
	Terms      []string
	Start, End int
}

// Passages packs lines in a language into passages of about size terms; 0 means PassageSize. A line
// is split only if it has more than twice that many terms. Lines without terms do not
// start a passage. Passages ascend and do not overlap.
func Passages(l language.Language, lines []Line, size int) []Passage {
	if size <= 0 {
		size = PassageSize
	}
	c := passageBuilder{language: l, size: size}
	for _, line := range lines {
		c.addLine(line)
	}
	c.flush()
	return c.out
}

// A passageBuilder collects lines in the open passage.
type passageBuilder struct {
	language language.Language
	size     int
	out      []Passage
	open     Passage
	terms    []string // of the current line
	offsets  []int    // start and end of each term
}

func (c *passageBuilder) addLine(l Line) {
	c.terms, c.offsets = c.terms[:0], c.offsets[:0]
	scanTerms(c.language, l.Text, func(term string, start, end int) {
		c.terms, c.offsets = append(c.terms, term), append(c.offsets, start, end)
	})
	terms, start := c.terms, l.Start
	for len(terms) > 2*c.size {
		c.flush()
		done := len(c.terms) - len(terms)
		last := c.offsets[2*(done+c.size)-1]
		end := max(start, l.sourceOffset(last-1)+1)
		c.add(terms[:c.size], start, end)
		c.flush()
		terms = terms[c.size:]
		start = min(max(end, l.sourceOffset(c.offsets[2*(done+c.size)])), l.End)
	}
	if len(terms) == 0 {
		return
	}
	if len(c.open.Terms)+len(terms) > c.size {
		c.flush()
	}
	c.add(terms, start, l.End)
}

func (c *passageBuilder) add(terms []string, start, end int) {
	if len(c.open.Terms) == 0 {
		c.open.Start = start
	}
	c.open.Terms = append(c.open.Terms, terms...)
	c.open.End = end
}

func (c *passageBuilder) flush() {
	if len(c.open.Terms) > 0 {
		c.out = append(c.out, c.open)
	}
	c.open = Passage{}
}
