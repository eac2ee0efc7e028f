package cite

import "github.com/neorag/neorag/internal/neo4jstore"

// resolveNear ends the way at the sentences of the chunks that hold most of the content, if
// they are sure or the last chance. Where none hold enough, it notes the first chunk.
func (p *provenance) resolveNear(units unitCache, last bool) {
	if len(p.chunks) == 0 {
		return
	}
	texts, of := units.ofAll(p.chunks)
	best, ok := p.content.find(texts, of)
	switch {
	case ok && best.coverage >= sureCoverage:
	case !last:
		return
	case (!ok || best.coverage < closeCoverage) && (p.resolveClaim(texts, of, best.coverage) || p.resolveBasis(texts, of)):
		return
	case !ok:
		p.unquoted = &p.chunks[0]
		return
	}
	p.near, p.approximate, p.coverage = true, !best.exact, best.coverage
	p.resolveTo(p.chunks[best.text], best.span)
}

// closeCoverage is the share of a statement's content from which its own words decide on the
// quote, and not those of what it cites.
const closeCoverage = .6

// resolveBasis ends the way at the words behind the sentence of a report, or the claim, that a
// model cited, where the statement itself shares little with the text: it says something of
// them in other words.
func (p *provenance) resolveBasis(texts []string, of [][]unit) bool {
	for _, basis := range p.bases {
		c := contentOf(basis, "")
		if best, ok := c.find(texts, of); ok && best.coverage >= basisCoverage {
			p.approximate, p.coverage = true, 0
			p.resolveTo(p.chunks[best.text], best.span)
			return true
		}
	}
	return false
}

// basisCoverage is the share of the words of what is cited that a quote has to hold which is
// quoted for them.
const basisCoverage = .5

// resolveClaim ends the way at the words from which a claim was taken that says most of the
// statement, if it says more of it than the words found by the statement itself.
func (p *provenance) resolveClaim(texts []string, of [][]unit, coverage float64) bool {
	var said *neo4jstore.Evidence
	best := max(coverage, claimCoverage)
	for i, ev := range p.claims {
		if covered := p.content.covered(ev.Text); covered > best {
			best, said = covered, &p.claims[i]
		}
	}
	if said == nil {
		return false
	}
	c := contentOf(said.Quote, "")
	at, ok := c.find(texts, of)
	if !ok || at.coverage < basisCoverage {
		return false
	}
	p.near, p.approximate, p.coverage, p.said = true, true, coverage, said.Text
	p.resolveTo(p.chunks[at.text], at.span)
	return true
}

// claimCoverage is the share of a statement's terms that a claim has to say whose words are
// quoted for it.
const claimCoverage = .5
