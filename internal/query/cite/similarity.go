package cite

// resolveNear resolves a citation to the sentences of the chunks that hold most of the content, if
// they are sure or the last chance. Where none hold enough, it notes the first chunk.
func (p *quoteSearch) resolveNear(units unitCache, last bool) {
	if len(p.chunks) == 0 {
		return
	}
	texts, of := units.ofAll(p.chunks)
	best, ok := p.content.find(texts, of)
	words := ""
	if ok {
		words = texts[best.text][best.span.Start:best.span.End]
	}
	switch {
	case ok && best.coverage >= sureCoverage:
	case !last:
		return
	case ok && best.coverage >= closeCoverage:
	case p.resolveClaim(units, best.coverage) || p.resolveBasis(texts, of, false):
		return
	case !ok && p.resolveShared(texts, of):
		return
	case p.unsaid(words):
		p.weak = true
		if p.resolveBasis(texts, of, true) {
			return
		}
	}
	if !ok {
		p.unquoted = &p.chunks[0]
		return
	}
	p.near = true
	p.resolveTo(p.chunks[best.text], best.span, !best.exact, best.coverage)
}

// closeCoverage is the share of a statement's content from which its own words decide on the
// quote, and not the words of what it cites.
const closeCoverage = .6
