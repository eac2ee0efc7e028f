package cite

import (
	"slices"

	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/text/textproc"
)

// A source is the sentences of a chunk from which a claim was taken.
type source struct {
	claim textproc.TermSet // what the claim says, in other words than the text
	chunk neo4jstore.Evidence
	first int // of the units of the chunk
	last  int
}

// at returns the place of the words in their document.
func (s source) at(units unitCache) textproc.Span {
	of := units.of(s.chunk)
	return textproc.Span{Start: s.chunk.Start + of[s.first].Start, End: s.chunk.Start + of[s.last-1].End}
}

// sourcesOf returns where the claims that were seen on the way were taken from, in their order.
func (p *quoteSearch) sourcesOf(units unitCache) []source {
	if p.sources != nil {
		return p.sources
	}
	p.sources = []source{}
	for _, claim := range p.claims {
		if s, ok := sourceOf(claim, p.chunks, units); ok {
			p.sources = append(p.sources, s)
		}
	}
	return p.sources
}

// sourceOf returns the sentences of some chunks with the quote of a claim, or else those that hold
// most of it: a model may have changed some of its words.
func sourceOf(claim neo4jstore.Evidence, chunks []neo4jstore.Evidence, units unitCache) (source, bool) {
	out := source{claim: textproc.TermSetOf(claim.Text)}
	for _, chunk := range chunks {
		at, ok := locateWords(chunk.ChunkText, claim.Quote)
		if first, last := unitsAt(units.of(chunk), at); ok && first < last {
			out.chunk, out.first, out.last = chunk, first, last
			return out, true
		}
	}
	texts, of := units.ofAll(chunks)
	c := contentOf(claim.Quote, "")
	f, ok := c.find(texts, of)
	if !ok || f.coverage < basisCoverage {
		return source{}, false
	}
	out.chunk = chunks[f.text]
	out.first, out.last = unitsAt(of[f.text], f.span)
	return out, true
}

// unitsAt returns the range of the units that hold some of a span.
func unitsAt(units []unit, at textproc.Span) (first, last int) {
	first = slices.IndexFunc(units, func(u unit) bool { return u.End > at.Start })
	if first < 0 {
		return 0, 0
	}
	for last = first; last < len(units) && units[last].Start < at.End; {
		last++
	}
	return first, last
}

// quote returns the words of a source: of one with many sentences those that follow each other and
// hold most of some terms. It reports false if they state nothing.
func (s source) quote(terms textproc.TermSet, units unitCache) (found, bool) {
	of := units.of(s.chunk)
	first, best := s.first, -1
	for at := s.first; at == s.first || at+maxQuote <= s.last; at++ {
		holds := textproc.TermSet{}
		for _, u := range of[at:min(at+maxQuote, s.last)] {
			holds.Add(u.terms...)
		}
		if n := holds.Shared(terms); n > best {
			first, best = at, n
		}
	}
	c, last := content{}, min(first+maxQuote, s.last)
	f, ok := c.complete(found{span: textproc.Span{Start: first, End: last}}, s.chunk.ChunkText, of)
	if ok { // a claim is not taken from a heading
		f.span = textproc.Span{Start: min(f.span.Start, of[first].Start), End: max(f.span.End, of[last-1].End)}
	}
	return f, ok
}

// resolveClaim resolves a citation to the words from which a claim was taken that says most of the
// statement, if it says more of it than the words found by the statement itself.
func (p *quoteSearch) resolveClaim(units unitCache, coverage float64) bool {
	best, from := max(coverage, claimCoverage), -1
	_, of := units.ofAll(p.chunks)
	weighed, total := weights(p.content.terms, of)
	sources := p.sourcesOf(units)
	for i, s := range sources {
		if covered := weightShare(sortedTerms(s.claim), weighed, total); covered > best {
			best, from = covered, i
		}
	}
	if from < 0 {
		return false
	}
	at, ok := sources[from].quote(p.content.terms, units)
	if ok {
		p.near = true
		p.resolveTo(sources[from].chunk, at.span, true, coverage)
	}
	return ok
}

// claimCoverage is the share of a statement's terms that a claim has to say whose words are
// quoted for it.
const claimCoverage = .5

// claimRest returns the words of the claim that says most of what the quotes of a statement do
// not, neither by their own words nor by the words of claims that were taken from them. It reports
// false if that is too little.
func (g statementQuotes) claimRest(p *quoteSearch) (resolved, bool) {
	rest := g.rest().terms
	for t := range g.said() {
		delete(rest, t)
	}
	_, of := g.units.ofAll(p.chunks)
	rest = without(rest, frequentTerms(rest, of))
	best, out := 0, resolved{}
	for _, s := range p.sourcesOf(g.units) {
		says := s.claim.Shared(rest)
		much := says >= minRest || 3*says >= len(rest) && 4*len(rest) >= len(p.content.terms)
		if says <= best || !much || quotes(g.trails, s.chunk.DocumentURI, s.at(g.units)) {
			continue
		}
		if at, ok := s.quote(rest, g.units); ok {
			best, out = says, quoteAt(s.chunk, at.span, true, 0)
		}
	}
	return out, best > 0
}
