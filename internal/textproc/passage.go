package textproc

// PassageSize is the number of terms of a passage where none is given: about a
// hundred words of chat, seventy of a web page.
const PassageSize = 60

// A Window is a passage: its terms, and the bytes of the source from its first
// line, or its first term within one, to its last.
type Window struct {
	Terms      []string
	Start, End int
}

// Windows cuts lines into passages of about size terms. A passage holds whole
// lines, as many as fit; only a line of more than twice the size is cut inside.
// Lines without terms make no passage of their own. Windows ascend and do not
// overlap.
func Windows(lines []Line, size int) []Window {
	if size <= 0 {
		size = PassageSize
	}
	c := cutter{size: size}
	for _, line := range lines {
		c.line(line)
	}
	c.flush()
	return c.out
}

type cutter struct {
	size   int
	out    []Window
	open   Window
	terms  []string // of the line at hand
	places []int    // start and end of each
}

func (c *cutter) line(l Line) {
	c.terms, c.places = c.terms[:0], c.places[:0]
	scanTerms(l.Text, func(term string, start, end int) {
		c.terms, c.places = append(c.terms, term), append(c.places, start, end)
	})
	terms, start := c.terms, l.Start
	for len(terms) > 2*c.size {
		c.flush()
		done := len(c.terms) - len(terms)
		last := c.places[2*(done+c.size)-1]
		end := max(start, l.at(last-1)+1)
		c.add(terms[:c.size], start, end)
		c.flush()
		terms = terms[c.size:]
		start = min(max(end, l.at(c.places[2*(done+c.size)])), l.End)
	}
	if len(terms) == 0 {
		return
	}
	if len(c.open.Terms)+len(terms) > c.size {
		c.flush()
	}
	c.add(terms, start, l.End)
}

func (c *cutter) add(terms []string, start, end int) {
	if len(c.open.Terms) == 0 {
		c.open.Start = start
	}
	c.open.Terms = append(c.open.Terms, terms...)
	c.open.End = end
}

func (c *cutter) flush() {
	if len(c.open.Terms) > 0 {
		c.out = append(c.out, c.open)
	}
	c.open = Window{}
}
