package cite

import (
	"slices"

	"github.com/neorag/neorag/internal/neo4jstore"
	"github.com/neorag/neorag/internal/textproc"
)

const (
	// minRest is the number of rare terms of a statement that another quote has to add.
	minRest = 2
	// maxRest is the number of further quotes of a statement.
	maxRest = 2
)

// reflexive are rare terms that say nothing by themselves.
var reflexive = []string{"himself", "herself", "itself", "themselves", "own", "sich", "selbst"}

// quoteTogether looks at the quotes of each statement together. A model joins facts that are in
// different places of a text, and cites a record for each. Where two records lead to the same
// words, the second is quoted for what is left of the statement, if its chunks hold that. What
// is still left is then looked for in the chunks of all its records.
func quoteTogether(trails []provenance, units unitCache) {
	for first := 0; first < len(trails); {
		last := first + 1
		for last < len(trails) && trails[last].quote == trails[first].quote {
			last++
		}
		if trails[first].written {
			g := together{trails[first:last], units}
			g.replaceRepeated()
			g.quoteRest()
		}
		first = last
	}
}

// together are the ways of the citations of one statement.
type together struct {
	trails []provenance
	units  unitCache
}

// replaceRepeated quotes other words for a record whose quote overlaps one before it.
func (g together) replaceRepeated() {
	for i := range g.trails {
		p := &g.trails[i]
		if !p.near || !quotes(g.trails[:i], p.document, Span{p.start, p.end}) {
			continue
		}
		if r, ok := g.findRest(p.chunks, nil); ok {
			p.document, p.chunk, p.start, p.end, p.words = r.Document, r.Chunk, r.Start, r.End, r.Quote
			p.approximate, p.coverage = true, r.coverage
		}
	}
}

// quoteRest adds quotes of what the quotes of a statement do not hold.
func (g together) quoteRest() {
	added := 0
	for i := range g.trails {
		p := &g.trails[i]
		for p.near && added < maxRest {
			r, ok := g.findRest(p.chunks, g.said())
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
// it, or if they add nothing to some terms that are said in other words.
func (g together) findRest(chunks []neo4jstore.Evidence, said textproc.TermSet) (resolved, bool) {
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
	added, fresh := 0, 0
	for t := range textproc.TermSetOf(quote) {
		if _, ok := wanted[t]; ok {
			added++
			if _, ok := said[t]; !ok {
				fresh++
			}
		}
	}
	at := Span{ev.Start + other.span.Start, ev.Start + other.span.End}
	if fresh < minRest || 2*added < len(wanted) || quotes(g.trails, ev.DocumentURI, at) {
		return resolved{}, false
	}
	return resolved{coverage: other.coverage, Reference: Reference{
		Document: ev.DocumentURI, Chunk: ev.Chunk, Start: at.Start, End: at.End, Quote: quote, Approximate: true,
	}}, true
}

// said returns the terms of the claims whose words are quoted.
func (g together) said() textproc.TermSet {
	out := textproc.TermSet{}
	for _, p := range g.trails {
		out.Add(textproc.Terms(p.said)...)
	}
	return out
}

// rest returns what no quote of the statement holds.
func (g together) rest() content {
	held := textproc.TermSet{}
	for _, p := range g.trails {
		held.Add(textproc.Terms(p.words)...)
		for _, r := range p.rest {
			held.Add(textproc.Terms(r.Quote)...)
		}
	}
	c := g.trails[0].content
	rest := content{terms: textproc.TermSet{}, hints: c.hints}
	for t := range c.terms {
		if _, ok := held[t]; !ok && !slices.Contains(reflexive, t) {
			rest.terms[t] = struct{}{}
		}
	}
	return rest
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
func quotes(trails []provenance, document string, at Span) bool {
	overlaps := func(d string, start, end int) bool { return d == document && start < at.End && at.Start < end }
	return slices.ContainsFunc(trails, func(p provenance) bool {
		return p.resolved && overlaps(p.document, p.start, p.end) ||
			slices.ContainsFunc(p.rest, func(r resolved) bool { return overlaps(r.Document, r.Start, r.End) })
	})
}
