package cite

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/textproc"
)

// dropWeak drops citations of what says nothing of the statement, or has no quote for it, next to
// better ones, unless a claim on the way says more of the statement. A chunk is evidence also
// without a quote.
func (g together) dropWeak() {
	better := func(p provenance) bool { return p.resolved && p.words != "" && !p.weak }
	if !slices.ContainsFunc(g.trails, better) {
		return
	}
	for i := range g.trails {
		p := &g.trails[i]
		if !p.exists || better(*p) || p.target.Kind == graph.KindChunk {
			continue
		}
		p.drop()
		if r, ok := g.claimRest(p); ok {
			p.requote(r)
		}
	}
}

// dropIdle drops quotes of sentences that a model cited next to others of the same record, where the
// others hold most of the statement, and these nothing more of it than names that the text repeats:
// models miscount.
func (g together) dropIdle() {
	for i := range g.trails {
		p := &g.trails[i]
		if !p.resolved || p.target.Kind != graph.KindChunk || len(p.cited) == 0 || p.coverage >= quoteFloor {
			continue
		}
		others := textproc.TermSet{}
		for k, o := range g.trails {
			if k != i && o.target.Key == p.target.Key {
				others.Add(textproc.Terms(o.words)...)
			}
		}
		chunk := p.chunks[0]
		of := [][]unit{g.units.of(chunk)}
		weighed, total := weights(p.content.terms, of)
		held := weightShare(sortedTerms(others), weighed, total)
		more := without(p.content.shared(p.words), others)
		if held >= closeCoverage && len(more) == len(repeated(more, of)) &&
			!slices.ContainsFunc(g.words(more), func(w string) bool { return !isName(w, chunk.ChunkText) }) {
			p.drop()
		}
	}
}

// drop drops a citation with its quote.
func (p *provenance) drop() {
	p.dropped, p.near, p.words, p.start, p.end = true, false, "", 0, 0
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

// isName reports whether a word of a statement is a name: with a capital letter, and without one
// nowhere in a text.
func isName(word, source string) bool {
	word = strings.TrimFunc(word, func(r rune) bool { return !unicode.IsLetter(r) })
	first, _ := utf8.DecodeRuneInString(word)
	_, common := locateWords(source, strings.ToLower(word))
	return unicode.IsUpper(first) && !common
}
