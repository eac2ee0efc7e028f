package cite

import (
	"slices"

	"github.com/neorag/neorag/internal/text/language"
	"github.com/neorag/neorag/internal/text/textproc"
)

const (
	// basisCoverage is the minimum share of the words of a cited sentence or claim that its
	// quote holds.
	basisCoverage = .5
	// minBasis is the number of terms that a statement shares with what it says in other words.
	minBasis = 2
	// minShared is the number of rare terms of both that are enough to look for.
	minShared = 3
)

// resolveBasis resolves a citation of a statement that shares few words with the text because it is a
// paraphrase. It searches for the words of a basis: the sentence of a report, or the claim, that the
// model cited. The words that are found must hold a rare term, other than a name, that the statement
// and the basis share, unless these are in different languages. With unsaid, only bases that say
// nothing of the statement are considered, and no shared term is required.
func (p *quoteSearch) resolveBasis(texts []string, of [][]unit, unsaid bool) bool {
	for _, basis := range p.bases {
		if unsaid == p.says(basis) {
			continue
		}
		c := contentOf(basis, "")
		best, ok := c.find(texts, of)
		if !ok || best.coverage < basisCoverage {
			continue
		}
		both := p.content.shared(basis)
		words := textproc.TermSetOf(texts[best.text][best.span.Start:best.span.End])
		both = without(both, frequentTerms(both, of))
		both = without(both, p.names(both, texts[best.text]))
		if unsaid || language.Of(basis) != language.Of(p.content.text) || shares(words, both) {
			p.resolveToBasis(best)
			return true
		}
	}
	return false
}

// resolveShared resolves a citation to words that hold most of what the statement says together with the
// sentence of a report, or the claim, that a model cited, or with what describes an entity or a
// relationship on the way.
func (p *quoteSearch) resolveShared(texts []string, of [][]unit) bool {
	for _, basis := range slices.Concat(p.bases, p.described) {
		both := content{text: basis, terms: p.content.shared(basis), hints: textproc.TermSet{}}
		if len(without(both.terms, frequentTerms(both.terms, of))) < minShared {
			continue
		}
		both.hint(basis)
		if best, ok := both.find(texts, of); ok && best.coverage >= basisCoverage {
			p.resolveToBasis(best)
			return true
		}
	}
	return false
}

// resolveToBasis resolves a citation to words that paraphrase the statement.
func (p *quoteSearch) resolveToBasis(at found) {
	p.near = true
	p.resolveTo(p.chunks[at.text], at.span, true, 0)
}

// says reports whether what a model cited says something of the statement. Of texts in different
// languages that is not known, and taken for granted.
func (p *quoteSearch) says(basis string) bool {
	return len(p.content.shared(basis)) >= min(minBasis, len(p.content.terms)) || language.Of(basis) != language.Of(p.content.text)
}

// unsaid reports whether nothing that a model cited says something of the statement and has to do
// with some words, if there are any.
func (p *quoteSearch) unsaid(words string) bool {
	terms := textproc.TermSetOf(words)
	return len(p.bases) > 0 && !slices.ContainsFunc(p.bases, func(basis string) bool {
		return p.says(basis) && (words == "" || textproc.TermSetOf(basis).Shared(terms) > 0)
	})
}
