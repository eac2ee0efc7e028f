package cite

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/text/textproc"
)

// maxSteps bounds the steps from a report down to the text: a report may cite
// the report of a child community, and so on.
const maxSteps = 32

// A Resolver finds the words of documents that support statements.
type Resolver struct {
	Evidence evidenceReader
	// Filtered means that Evidence excludes documents on purpose. A statement whose words
	// are not found is then dropped, because they may be in an excluded document. Without
	// a filter, the statement keeps a reference without a quote.
	Filtered bool

	// written means that the statements are a model's: they are quoted by whole sentences.
	written bool
}

// A resolved statement is the reference of its record with the words found for it. It is zero
// if nothing was found.
type resolved struct {
	Reference

	coverage    float64    // share of the statement's content that the quote holds
	rest        []resolved // other quotes, of what the statement says besides
	dropped     bool       // other citations of the statement are better evidence of it, or it is unfounded
	unfounded   bool       // nothing that is cited holds enough of the statement
	unsupported bool       // dropped because its quotes state nothing of the statement
	repeats     bool       // another citation of the statement shows its words
	missing     int        // cited sentences that do not exist
}

// quoteAt returns words of a chunk as a quote.
func quoteAt(ev neo4jstore.Evidence, at textproc.Span, approximate bool, coverage float64) resolved {
	return resolved{coverage: coverage, Reference: Reference{
		Document: ev.DocumentURI, Chunk: ev.Chunk, Start: ev.Start + at.Start, End: ev.Start + at.End,
		Quote: ev.ChunkText[at.Start:at.End], Approximate: approximate,
	}}
}

// setQuote gives a statement the quote of another one.
func (r *resolved) setQuote(o resolved) {
	r.Document, r.Chunk, r.Start, r.End, r.Quote = o.Document, o.Chunk, o.Start, o.End, o.Quote
	r.Approximate, r.coverage = o.Approximate, o.coverage
}

// better reports whether a quote is a better one than another.
func (r resolved) better(o resolved) bool {
	switch {
	case (r.Quote != "") != (o.Quote != ""):
		return r.Quote != ""
	case r.Approximate != o.Approximate:
		return o.Approximate
	}
	return r.coverage > o.coverage
}

// citation returns the citation of a statement under the number of a reference.
func (r resolved) citation(n int, statement string) Citation {
	c := Citation{N: n, Statement: statement, Document: r.Document, Chunk: r.Chunk, Start: r.Start, End: r.End, Quote: r.Quote}
	if r.Quote != "" {
		c.Match = Exact
		if r.Approximate {
			c.Match = Approximate
		}
	}
	return c
}

// resolve finds for every statement the words of a document that it is derived from.
func (r Resolver) resolve(ctx context.Context, statements []Statement, known Known) ([]resolved, error) {
	out := make([]resolved, len(statements))
	trails := make([]quoteSearch, len(statements))
	for i, s := range statements {
		trails[i] = quoteSearch{
			resolved: resolved{Reference: Reference{
				Kind: s.Target.Kind, Key: s.Target.Key, Title: SanitizeTitle(s.Title), Corpus: graph.CorpusOf(s.Target.Key),
			}},
			text: s.Text, content: contentOf(s.Text, s.About), written: r.written,
			target: s.Target, cited: s.Sentences, at: s.Quote, next: s.Cited,
		}
		if s.Target.Kind != graph.KindReport || len(s.Cited) == 0 {
			trails[i].next = []graph.Reference{s.Target}
		}
	}
	found, err := r.follow(ctx, trails, known, reportsOf(statements))
	if err != nil {
		return nil, err
	}
	for i, t := range trails {
		out[i] = t.resolved
		switch {
		case t.quoted:
		case t.unquoted != nil && (!r.Filtered || t.unquoted.Key == t.target.Key):
			out[i].Chunk, out[i].Document = t.unquoted.Chunk, t.unquoted.DocumentURI
		case !t.exists || r.Filtered && t.text != "":
			out[i] = resolved{dropped: t.dropped, unfounded: t.unfounded}
		}
		out[i].Stale = found[graph.Reference{Kind: out[i].Kind, Key: out[i].Key}].Stale
	}
	return out, nil
}

// reportsOf returns the reports that statements are about, each once.
func reportsOf(statements []Statement) []graph.Reference {
	var reports []graph.Reference
	for _, s := range statements {
		ref := graph.Reference{Kind: s.Target.Kind, Key: s.Target.Key}
		if ref.Kind == graph.KindReport && !slices.Contains(reports, ref) {
			reports = append(reports, ref)
		}
	}
	return reports
}

// A quoteSearch looks for the words behind a text: from what cites it down to a document.
type quoteSearch struct {
	resolved          // what was found
	left     resolved // a quote that another citation of the statement has too, while quotes are chosen

	text       string
	content    content                  // what to look for where no chunk holds the text word for word
	written    bool                     // the text is a model's: its words lead to whole sentences
	ownWords   bool                     // without a text, look for the words of the first node
	everywhere bool                     // the text is words of a document: follow all that a report cites
	target     graph.Reference          // what is cited
	cited      []int                    // the sentences of the target that are cited, from 1; none for all
	at         textproc.Span            // of the text in its chunk; zero where unknown
	next       []graph.Reference        // where to look in the next step
	seen       map[graph.Reference]bool // where it was looked for
	chunks     []neo4jstore.Evidence    // that were seen
	exists     bool                     // one of the references exists
	quoted     bool                     // the words were found
	unquoted   *neo4jstore.Evidence     // the first of the chunks that do not hold enough of the content
	claims     []neo4jstore.Evidence    // that were seen on the way, with the words that they were taken from
	sources    []source                 // of the claims; nil before they are looked for
	bases      []string                 // what the cited sentences of a report, or a cited claim, say in their own words
	described  []string                 // what describes the entities and relationships that were seen on the way
	steps      []Step
	near       bool // the words were found by what the statement says, not named by a model
	weak       bool // what is cited says nothing of the statement
}

// follow follows all quotes together, one read for each step: from reports to
// what they cite, from entities, relationships and claims to their chunks. What
// is known is not read again. It returns all evidence that was read, with the evidence of the
// references in also if anything had to be read.
func (r Resolver) follow(ctx context.Context, trails []quoteSearch, known Known, also []graph.Reference) (Known, error) {
	found := Known{}
	maps.Copy(found, known)
	units := unitCache{}
	for range maxSteps {
		wanted := nextReferences(trails)
		if len(wanted) == 0 {
			quoteTogether(trails, units)
			return found, nil
		}
		wanted = slices.DeleteFunc(wanted, func(ref graph.Reference) bool { _, ok := found[ref]; return ok })
		if len(wanted) > 0 {
			evidence, err := r.Evidence.Evidence(ctx, append(wanted, missing(also, wanted)...))
			if err != nil {
				return nil, err
			}
			also = nil
			for _, ev := range evidence {
				found[graph.Reference{Kind: ev.Kind, Key: ev.Key}] = ev
			}
		}
		for i := range trails {
			if !trails[i].quoted {
				trails[i].step(found, units)
			}
		}
	}
	return found, nil
}

// missing returns the references that are not among others.
func missing(refs, others []graph.Reference) []graph.Reference {
	return slices.DeleteFunc(slices.Clone(refs), func(ref graph.Reference) bool { return slices.Contains(others, ref) })
}

// nextReferences returns where the quotes that are not resolved yet are looked for
// next, each once.
func nextReferences(trails []quoteSearch) []graph.Reference {
	var out []graph.Reference
	unique := map[graph.Reference]bool{}
	for _, t := range trails {
		if t.quoted {
			continue
		}
		for _, next := range t.next {
			ref := graph.Reference{Kind: next.Kind, Key: next.Key}
			if !unique[ref] {
				unique[ref] = true
				out = append(out, ref)
			}
		}
	}
	return out
}

// step looks for the quote in the next references, each of which it sees once, and
// moves on to what supports those that do not hold it. When there is nothing left to
// look at, the sentences of the chunks that hold most of the content resolve the quote.
func (p *quoteSearch) step(found Known, units unitCache) {
	var next []graph.Reference
	if p.seen == nil {
		p.seen = map[graph.Reference]bool{}
	}
	for _, ref := range p.next {
		ref = graph.Reference{Kind: ref.Kind, Key: ref.Key}
		ev, ok := found[ref]
		if !ok || p.seen[ref] {
			continue
		}
		p.seen[ref] = true
		p.exists = true
		p.visit(ev)
		p.countMissing(ev, units)
		if ev.ChunkText != "" {
			p.addChunk(ev)
			if p.resolveCited(ev, units) || p.resolveVerbatim(ev, units) {
				return
			}
		}
		next = append(next, p.supports(ev)...)
	}
	p.next = next
	p.resolveNear(units, len(next) == 0)
}

// addChunk notes a chunk, once.
func (p *quoteSearch) addChunk(ev neo4jstore.Evidence) {
	if !slices.ContainsFunc(p.chunks, func(o neo4jstore.Evidence) bool { return o.Chunk == ev.Chunk }) {
		p.chunks = append(p.chunks, ev)
	}
}

// supports returns where to look below a node, and takes its words as hints. Of a report it is
// what the sentences cite that are cited or say most of the content.
func (p *quoteSearch) supports(ev neo4jstore.Evidence) []graph.Reference {
	switch ev.Kind {
	case graph.KindChunk:
		return nil
	case graph.KindReport:
		if p.everywhere {
			break
		}
		var cited []int
		if ev.Key == p.target.Key {
			cited = p.cited
		}
		var out []graph.Reference
		for _, part := range p.content.parts(ReportParts(ev.Text), cited) {
			if len(cited) > 0 {
				p.bases = append(p.bases, part.Text)
			}
			if len(cited) == 0 || len(p.content.shared(part.Text)) >= minBasis {
				p.content.hint(part.Text)
			}
			for _, ref := range ev.Supports {
				if slices.Contains(part.Citations, ref.N) {
					out = append(out, ref)
				}
			}
		}
		if len(out) > 0 {
			return out
		}
	case graph.KindEntity, graph.KindRelationship, graph.KindClaim:
		nearest := p.content.nearestSentence(ev.Text)
		p.content.hint(nearest)
		if ev.Kind != graph.KindClaim && nearest != "" {
			p.described = append(p.described, nearest)
		}
		p.content.hint(ev.Quote)
		if ev.Kind == graph.KindClaim && ev.Key == p.target.Key {
			p.bases = append(p.bases, cmp.Or(ev.Quote, ev.Text))
		}
		if ev.Kind == graph.KindClaim && ev.Quote != "" {
			p.claims = append(p.claims, ev)
		}
	}
	return ev.Supports
}

// resolveCited resolves a citation to the sentences of a chunk that a model cited. It does not if they
// share nothing with a long statement and others of the chunk hold most of it: models miscount.
func (p *quoteSearch) resolveCited(ev neo4jstore.Evidence, units unitCache) bool {
	if len(p.cited) == 0 || ev.Kind != graph.KindChunk || ev.Key != p.target.Key {
		return false
	}
	own := units.of(ev)
	named, ok := p.content.cited(p.cited, ev.ChunkText, own)
	if !ok {
		return false
	}
	if other, found := p.content.find([]string{ev.ChunkText}, [][]unit{own}); found && named.coverage == 0 && other.coverage >= miscounted && len(p.content.terms) >= minMiscounted {
		return false
	}
	p.resolveTo(ev, named.span, !named.exact, named.coverage)
	return true
}

// countMissing counts the cited sentences that the target does not have. Only chunks and
// reports have numbered sentences.
func (p *quoteSearch) countMissing(ev neo4jstore.Evidence, units unitCache) {
	if len(p.cited) == 0 || ev.Kind != p.target.Kind || ev.Key != p.target.Key {
		return
	}
	last := 0
	switch ev.Kind {
	case graph.KindChunk:
		last = len(units.of(ev))
	case graph.KindReport:
		for _, part := range ReportParts(ev.Text) {
			last = max(last, part.N)
		}
	default:
		return
	}
	for _, n := range p.cited {
		if n > last {
			p.missing++
		}
	}
}

// resolveVerbatim resolves a citation to the words of the quote in a chunk, or at their sentences if a
// model wrote them: it may have repeated a name or half a sentence.
func (p *quoteSearch) resolveVerbatim(ev neo4jstore.Evidence, units unitCache) bool {
	at, ok := p.at, true
	switch {
	case p.written:
		var f found
		f, ok = p.content.verbatim(ev.ChunkText, units.of(ev))
		at = f.span
	case ev.Kind != graph.KindChunk || at.End <= at.Start || at.End > len(ev.ChunkText):
		at, ok = locate(ev.ChunkText, p.text)
	}
	if ok {
		p.resolveTo(ev, at, false, 1)
	}
	return ok
}

// A unitCache is the sentences of chunks by key.
type unitCache map[string][]unit

func (c unitCache) of(ev neo4jstore.Evidence) []unit {
	u, ok := c[ev.Chunk]
	if !ok {
		u = unitsOf(ev.ChunkText)
		c[ev.Chunk] = u
	}
	return u
}

// ofAll returns the texts of chunks and their sentences.
func (c unitCache) ofAll(chunks []neo4jstore.Evidence) (texts []string, units [][]unit) {
	for _, ev := range chunks {
		texts, units = append(texts, ev.ChunkText), append(units, c.of(ev))
	}
	return texts, units
}
