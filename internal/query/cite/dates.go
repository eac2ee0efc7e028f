package cite

import (
	"strings"

	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/text/textproc"
)

// quoteDates makes quotes longer by the sentences before them that have a number of the statement which
// no quote has: a text names the year of what it tells once, and then tells more.
func (g statementQuotes) quoteDates() {
	for _, t := range sortedTerms(g.rest().terms) {
		if !strings.ContainsAny(t, "0123456789") {
			continue
		}
		for i := range g.trails {
			if p := &g.trails[i]; p.near && g.reachBack(p, t) {
				break
			}
		}
	}
}

// reachBack makes a quote of a citation begin with the sentence before it that has a term. It reports
// false if there is none so near that the quote keeps to maxQuote sentences.
func (g statementQuotes) reachBack(p *quoteSearch, term string) bool {
	for _, q := range p.quotes() {
		for _, chunk := range p.chunks {
			if chunk.Chunk != q.Chunk {
				continue
			}
			if at, ok := g.before(chunk, *q, term); ok {
				q.Start = chunk.Start + at
				q.Quote = chunk.ChunkText[at : q.End-chunk.Start]
				return true
			}
		}
	}
	return false
}

// before returns where the sentence before a quote begins that has a term.
func (g statementQuotes) before(chunk neo4jstore.Evidence, q resolved, term string) (int, bool) {
	units := g.units.of(chunk)
	first, last := unitsAt(units, textproc.Span{Start: q.Start - chunk.Start, End: q.End - chunk.Start})
	for i := first - 1; i >= max(0, last-maxQuote) && !units[i].Fragment && !units[i].onlyAsks(); i-- {
		if quotes(g.trails, q.Document, textproc.Span{Start: chunk.Start + units[i].Start, End: chunk.Start + units[i].End}) {
			break
		}
		if _, ok := termSet(units[i].terms)[term]; ok {
			return units[i].Start, true
		}
	}
	return 0, false
}
