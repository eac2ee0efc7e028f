package cite

import "github.com/neorag/neorag/internal/text/textproc"

// replaceRepeated quotes other words for a record whose quote overlaps one before it: words that hold
// what the others lack, or else the sentences of its quote that no other one has. A quote that adds
// nothing is left out.
func (g statementQuotes) replaceRepeated() {
	for i := range g.trails {
		p := &g.trails[i]
		at := textproc.Span{Start: p.Start, End: p.End}
		if !p.quoted || p.Quote == "" || !quotes(g.trails[:i], p.Document, at) {
			continue
		}
		if p.near {
			if r, ok := g.findRest(p.chunks, nil); ok {
				p.requote(r)
				continue
			}
		}
		if !g.trim(i) {
			g.leaveOut(i)
		}
	}
}

// trim cuts from a quote the sentences that quotes before it have. It reports false if those that are
// left do not follow each other, or add nothing.
func (g statementQuotes) trim(i int) bool {
	p := &g.trails[i]
	for _, chunk := range p.chunks {
		if chunk.Chunk != p.Chunk {
			continue
		}
		units := g.units.of(chunk)
		first, last := unitsAt(units, textproc.Span{Start: p.Start - chunk.Start, End: p.End - chunk.Start})
		repeated := func(u unit) bool {
			return quotes(g.trails[:i], p.Document, textproc.Span{Start: chunk.Start + u.Start, End: chunk.Start + u.End})
		}
		for first < last && (repeated(units[first]) || units[first].Fragment) {
			first++
		}
		for last > first && (repeated(units[last-1]) || units[last-1].Fragment) {
			last--
		}
		if first == last {
			return false
		}
		own := quoteAt(chunk, textproc.Span{Start: units[first].Start, End: units[last-1].End}, p.Approximate, p.coverage)
		more := without(p.content.shared(own.Quote), held(g.trails[:i]))
		if quotes(g.trails[:i], own.Document, textproc.Span{Start: own.Start, End: own.End}) || len(g.words(more)) < minRest {
			return false
		}
		p.setQuote(own)
		return true
	}
	return false
}

// leaveOut takes a quote away that others of the statement make needless, until restoreRepeated.
func (g statementQuotes) leaveOut(i int) {
	p := &g.trails[i]
	p.left = p.resolved
	p.setQuote(resolved{})
	p.near = false
}

// restoreRepeated gives the quotes back that were left out. Where others still have the words, the
// citation is not shown for the statement; its number stays in the text, which may have been streamed.
func (g statementQuotes) restoreRepeated() {
	for i := range g.trails {
		p := &g.trails[i]
		if p.left.Quote == "" || p.Quote != "" {
			continue
		}
		p.repeats = quotes(g.trails, p.left.Document, textproc.Span{Start: p.left.Start, End: p.left.End})
		p.setQuote(p.left)
	}
}
