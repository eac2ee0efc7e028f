package cite

import "github.com/neorag/neorag/internal/text/textproc"

// replaceRepeated quotes other words for a record whose quote overlaps one before it: words that hold
// what the others lack, or else the sentences of its quote that no other one has. A citation that adds
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

// leaveOut removes a quote that others of the statement make needless: the citation stays if it
// is of a record that is quoted, and is dropped otherwise.
func (g statementQuotes) leaveOut(i int) {
	p := &g.trails[i]
	p.setQuote(resolved{})
	p.near, p.merged = false, true
	if !g.isQuoted(p) {
		p.drop()
	}
}

// dropMerged drops citations that were left to others of their record, where these are dropped too.
func (g statementQuotes) dropMerged() {
	for i := range g.trails {
		if p := &g.trails[i]; p.merged && !p.dropped && !g.isQuoted(p) {
			p.drop()
		}
	}
}

// isQuoted reports whether a record that is cited is quoted for the statement.
func (g statementQuotes) isQuoted(p *quoteSearch) bool {
	for _, o := range g.trails {
		if o.target.Kind == p.target.Kind && o.target.Key == p.target.Key && o.quoted && o.Quote != "" {
			return true
		}
	}
	return false
}
