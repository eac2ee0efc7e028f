package cite

import (
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/text/textproc"
)

const (
	// minRest is the number of rare terms of a statement that another quote has to add.
	minRest = 2
	// maxRest is the number of further quotes of a statement.
	maxRest = 2
)

// empty are terms that say nothing by themselves.
var empty = []string{
	"himself", "herself", "itself", "themselves", "one", "own", "say", "said", "come", "came", "go", "went", "take", "took", "get", "got", "make", "made",
	"sich", "selbst", "sagt", "sagen", "komm", "kam", "geh", "ging", "mach",
}

// quoteTogether looks at the quotes of each statement together. A model joins facts that are in
// different places of a text, and cites a record for each. Where two records lead to the same
// words, the second is quoted for what is left of the statement, if its chunks hold that. What
// is still left is then looked for in the chunks of all its records.
func quoteTogether(trails []quoteSearch, units unitCache) {
	for first := 0; first < len(trails); {
		last := first + 1
		for last < len(trails) && trails[last].text == trails[first].text {
			last++
		}
		if trails[first].written {
			g := statementQuotes{trails[first:last], units}
			g.dropWeak()
			g.replaceRepeated()
			g.quoteRest()
			g.quoteDates()
			g.quoteMembers()
			g.dropIdle()
			g.restoreRepeated()
		}
		first = last
	}
}

// statementQuotes are the searches for the quotes of one statement.
type statementQuotes struct {
	trails []quoteSearch
	units  unitCache
}

// requote gives a citation another quote.
func (p *quoteSearch) requote(r resolved) {
	p.setQuote(r)
	p.quoted, p.near, p.weak, p.dropped = true, true, false, false
}

// quoteRest adds quotes of what the quotes of a statement do not hold: the words of claims that
// say it, or else words that hold it.
func (g statementQuotes) quoteRest() {
	added := 0
	for i := range g.trails {
		p := &g.trails[i]
		for p.near && added < maxRest {
			r, ok := g.claimRest(p)
			if !ok {
				r, ok = g.findRest(p.chunks, g.said())
			}
			if !ok {
				break
			}
			p.rest = append(p.rest, r)
			added++
		}
	}
}

// findRest returns the words of some chunks that hold most of what no quote of the statement
// holds. It reports false if that is too little, if they hold less than half of the rare terms of
// it, or if they add less than minRest words to some terms that are said in other words.
func (g statementQuotes) findRest(chunks []neo4jstore.Evidence, said textproc.TermSet) (resolved, bool) {
	texts, of := g.units.ofAll(chunks)
	rest := g.rest()
	wanted := rareTerms(rest.terms, of)
	if len(wanted) < minRest {
		return resolved{}, false
	}
	other, ok := rest.find(texts, of)
	if !ok {
		return resolved{}, false
	}
	ev, quote := chunks[other.text], texts[other.text][other.span.Start:other.span.End]
	added := common(wanted, textproc.TermSetOf(quote))
	at := textproc.Span{Start: ev.Start + other.span.Start, End: ev.Start + other.span.End}
	if len(g.words(without(added, said))) < minRest || other.coverage < closeCoverage && !g.inSentence(of[other.text], other.span, wanted) || 2*len(added) < len(wanted) || quotes(g.trails, ev.DocumentURI, at) {
		return resolved{}, false
	}
	return quoteAt(ev, other.span, true, other.coverage), true
}

// inSentence reports whether one sentence of a quote has enough of the wanted terms: of at least
// minRest words of the statement, of which "counting-house" is one.
func (g statementQuotes) inSentence(units []unit, quote textproc.Span, wanted textproc.TermSet) bool {
	return slices.ContainsFunc(units, func(u unit) bool {
		if u.Start < quote.Start || u.End > quote.End {
			return false
		}
		has := textproc.TermSet{}
		has.Add(u.terms...)
		return len(g.words(common(wanted, has))) >= minRest
	})
}

// words returns the words of the statement that have some of a set of terms.
func (g statementQuotes) words(terms textproc.TermSet) []string {
	return slices.DeleteFunc(strings.Fields(g.trails[0].text), func(word string) bool {
		return textproc.TermSetOf(word).Shared(terms) == 0
	})
}

// said returns the terms of the claims whose words are quoted.
func (g statementQuotes) said() textproc.TermSet {
	out := textproc.TermSet{}
	for i := range g.trails {
		for _, s := range g.trails[i].sourcesOf(g.units) {
			if quotes(g.trails, s.chunk.DocumentURI, s.at(g.units)) {
				for t := range s.claim {
					out[t] = struct{}{}
				}
			}
		}
	}
	return out
}

// rest returns what no quote of the statement holds.
func (g statementQuotes) rest() content {
	quoted, c := held(g.trails), g.trails[0].content
	rest := content{terms: textproc.TermSet{}, hints: c.hints}
	for t := range c.terms {
		if _, ok := quoted[t]; !ok && !slices.Contains(empty, t) {
			rest.terms[t] = struct{}{}
		}
	}
	return rest
}

// common returns the terms of a set that are also in another one.
func common(set, other textproc.TermSet) textproc.TermSet { return without(set, without(set, other)) }

// without returns the terms of a set that are not in another one.
func without(set, other textproc.TermSet) textproc.TermSet {
	out := textproc.TermSet{}
	for t := range set {
		if _, ok := other[t]; !ok {
			out[t] = struct{}{}
		}
	}
	return out
}

// frequentTerms returns the terms that many sentences have: those that weigh less than half of
// a rare one.
func frequentTerms(terms textproc.TermSet, units [][]unit) textproc.TermSet {
	weighed, _ := weights(terms, units)
	rare := rareWeight(units)
	out := textproc.TermSet{}
	for t, w := range weighed {
		if w < rare/2 {
			out[t] = struct{}{}
		}
	}
	return out
}

// rareTerms returns the terms that at least one sentence has, and few.
func rareTerms(terms textproc.TermSet, units [][]unit) textproc.TermSet {
	weighed, _ := weights(terms, units)
	rare := rareWeight(units)
	out := textproc.TermSet{}
	for _, of := range units {
		for _, u := range of {
			for _, t := range u.terms {
				if w, ok := weighed[t]; ok && w >= rare {
					out[t] = struct{}{}
				}
			}
		}
	}
	return out
}

// quotes reports whether quotes hold some of the bytes of a document.
func quotes(trails []quoteSearch, document string, at textproc.Span) bool {
	overlaps := func(d string, start, end int) bool { return d == document && start < at.End && at.Start < end }
	return slices.ContainsFunc(trails, func(p quoteSearch) bool {
		return p.quoted && overlaps(p.Document, p.Start, p.End) ||
			slices.ContainsFunc(p.rest, func(r resolved) bool { return overlaps(r.Document, r.Start, r.End) })
	})
}
