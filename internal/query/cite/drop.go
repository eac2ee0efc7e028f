package cite

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/text/language"
	"github.com/neorag/neorag/internal/text/textproc"
)

// dropWeak drops citations of what says nothing of the statement, or has no quote for it, next to
// better ones, unless a claim on the way says more of the statement. Without a better one it drops
// those that have no quote. A chunk is evidence also without a quote.
func (g statementQuotes) dropWeak() {
	better := func(p quoteSearch) bool { return p.quoted && p.Quote != "" && !p.weak }
	found := slices.ContainsFunc(g.trails, better)
	for i := range g.trails {
		p := &g.trails[i]
		if !p.exists || better(*p) || p.target.Kind == graph.KindChunk || !found && !p.isUnquoted() {
			continue
		}
		p.drop()
		p.unfounded = !found
		if r, ok := g.claimRest(p); ok && found {
			p.requote(r)
		}
	}
}

const (
	// idleHeld is the share of a statement's content that its other quotes have to hold where one is
	// dropped that adds nothing to them, and namedHeld where a model named the sentence.
	idleHeld  = .4
	namedHeld = .5
)

// dropIdle drops quotes that add nothing to the others of their statement but names that the text
// repeats: a model cites a sentence too many, or one that tells of something else besides. Another
// quote of the same citation takes the place of one that is dropped.
func (g statementQuotes) dropIdle() {
	for i := range g.trails {
		p := &g.trails[i]
		others := slices.Concat(g.trails[:i], g.trails[i+1:], []quoteSearch{{resolved: resolved{rest: p.rest}}})
		switch {
		case !p.quoted || p.Quote == "" || quotes(others, p.Document, textproc.Span{Start: p.Start, End: p.End}) || !g.idle(p, held(others)):
		case len(p.rest) > 0:
			r := p.rest[0]
			p.rest = p.rest[1:]
			p.requote(r)
		default:
			p.drop()
		}
	}
}

// idle reports whether a quote adds nothing to what other quotes hold.
func (g statementQuotes) idle(p *quoteSearch, others textproc.TermSet) bool {
	_, of := g.units.ofAll(p.chunks)
	weighed, total := weights(p.content.terms, of)
	least := idleHeld
	if p.target.Kind == graph.KindChunk && len(p.cited) > 0 {
		if p.coverage >= quoteFloor {
			return false
		}
		least = namedHeld
	}
	more := without(p.content.shared(p.Quote), others)
	more = without(more, frequentTerms(more, of))
	names := repeated(p.names(more, p.chunks[0].ChunkText), of)
	return len(names) == len(more) && weightShare(sortedTerms(others), weighed, total) >= least
}

// held returns the terms of some quotes.
func held(trails []quoteSearch) textproc.TermSet {
	out := textproc.TermSet{}
	for _, p := range trails {
		out.Add(textproc.Terms(p.Quote)...)
		for _, r := range p.rest {
			out.Add(textproc.Terms(r.Quote)...)
		}
	}
	return out
}

// isUnquoted reports whether the chunks that a citation leads to were read, and hold too little of the
// statement. Of those in another language that is not known.
func (p *quoteSearch) isUnquoted() bool {
	return p.unquoted != nil && language.Of(p.unquoted.ChunkText) == language.Of(p.text)
}

// drop drops a citation with its quote.
func (p *quoteSearch) drop() {
	p.dropped, p.near = true, false
	p.setQuote(resolved{})
}

// repeated returns the terms that more than one sentence has.
func repeated(terms textproc.TermSet, units [][]unit) textproc.TermSet {
	once, out := textproc.TermSet{}, textproc.TermSet{}
	for _, of := range units {
		for _, u := range of {
			for _, t := range u.terms {
				if _, ok := terms[t]; !ok {
					continue
				}
				if _, again := once[t]; again {
					out[t] = struct{}{}
				}
				once[t] = struct{}{}
			}
		}
	}
	return out
}

// names returns the terms of the names in the statement that are among some terms.
func (p *quoteSearch) names(terms textproc.TermSet, source string) textproc.TermSet {
	out := textproc.TermSet{}
	for word := range strings.FieldsSeq(p.text) {
		if isName(word, source) {
			out.Add(textproc.Terms(word)...)
		}
	}
	return common(terms, out)
}

// isName reports whether a word of a statement is a name: with a capital letter, and without one
// nowhere in a text.
func isName(word, source string) bool {
	word = strings.TrimFunc(word, func(r rune) bool { return !unicode.IsLetter(r) })
	first, _ := utf8.DecodeRuneInString(word)
	_, common := locateWords(source, strings.ToLower(word))
	return unicode.IsUpper(first) && !common
}
