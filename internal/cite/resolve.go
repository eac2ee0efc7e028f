package cite

import (
	"context"
	"maps"
	"slices"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/neo4jstore"
	"github.com/neorag/neorag/internal/textproc"
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
}

// resolve finds for every statement the words of a document that it is derived from.
// A statement without such words has the zero Reference.
func (r Resolver) resolve(ctx context.Context, statements []Statement, known Known) ([]Reference, error) {
	out := make([]Reference, len(statements))
	trails := make([]provenance, len(statements))
	for i, s := range statements {
		out[i] = Reference{Kind: s.Target.Kind, Key: s.Target.Key, Title: SanitizeTitle(s.Title), Corpus: graph.CorpusOf(s.Target.Key)}
		trails[i] = provenance{quote: s.Text, at: s.Quote, next: s.Cited}
		if s.Target.Kind != graph.KindReport || len(s.Cited) == 0 {
			trails[i].next = []graph.Reference{s.Target}
		}
	}
	found, err := r.follow(ctx, trails, known, reportsOf(statements))
	if err != nil {
		return nil, err
	}
	for i, t := range trails {
		if cited := t.unquoted; cited != nil && cited.Key == statements[i].Target.Key {
			out[i].Chunk, out[i].Document = cited.Chunk, cited.DocumentURI
			continue
		}
		if !t.resolved && (!t.exists || r.Filtered && statements[i].Text != "") {
			out[i] = Reference{}
			continue
		}
		out[i].Chunk, out[i].Document, out[i].Start, out[i].End, out[i].Quote = t.chunk, t.document, t.start, t.end, t.words
		out[i].Approximate = t.resolved && (t.approximate || statements[i].Approximate)
	}
	for i := range out {
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

// A provenance is the way of one quote from what cites it down to a document.
type provenance struct {
	quote       string
	ownWords    bool                     // without a quote, look for the words of the first node
	at          Span                     // of the quote in its chunk; zero where unknown
	next        []graph.Reference        // where to look in the next step
	seen        map[graph.Reference]bool // where it was looked for
	exists      bool                     // one of the references exists
	resolved    bool
	approximate bool                 // the words were found by similarity
	unquoted    *neo4jstore.Evidence // the first of the chunks that share no term with the quote
	document    string               // URI
	chunk       string
	start       int
	end         int
	words       string
	steps       []Step
}

// follow follows all quotes together, one read for each step: from reports to
// what they cite, from entities, relationships and claims to their chunks. What
// is known is not read again. It returns all evidence that was read, with that of the
// references in also if anything had to be read.
func (r Resolver) follow(ctx context.Context, trails []provenance, known Known, also []graph.Reference) (Known, error) {
	found := Known{}
	maps.Copy(found, known)
	for range maxSteps {
		wanted := nextReferences(trails)
		if len(wanted) == 0 {
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
			if !trails[i].resolved {
				trails[i].step(found)
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
func nextReferences(trails []provenance) []graph.Reference {
	var out []graph.Reference
	unique := map[graph.Reference]bool{}
	for _, t := range trails {
		if t.resolved {
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
// look at, the most similar sentence of the last chunks resolves the quote.
func (p *provenance) step(found Known) {
	var next []graph.Reference
	var chunks []neo4jstore.Evidence
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
		if ev.ChunkText != "" {
			if at, ok := p.locate(ev); ok {
				p.resolveTo(ev, at)
				return
			}
			chunks = append(chunks, ev)
		}
		if ev.Kind != graph.KindChunk {
			next = append(next, ev.Supports...)
		}
	}
	p.next = next
	if len(next) == 0 {
		p.resolveNear(chunks)
	}
}

// resolveNear ends the way at the sentence of the chunks that shares most terms with
// the quote, which none of them holds word for word. Where no sentence shares any, it
// notes the first chunk.
func (p *provenance) resolveNear(chunks []neo4jstore.Evidence) {
	terms := textproc.TermSetOf(p.quote)
	var nearest neo4jstore.Evidence
	var at Span
	most := 0
	for _, ev := range chunks {
		for _, s := range sentences(ev.ChunkText) {
			if shared := textproc.TermSetOf(ev.ChunkText[s.Start:s.End]).Shared(terms); shared > most {
				nearest, at, most = ev, s, shared
			}
		}
	}
	switch {
	case most > 0:
		p.approximate = true
		p.resolveTo(nearest, at)
	case len(chunks) > 0:
		p.unquoted = &chunks[0]
	}
}

// locate finds the quote in a chunk's text.
func (p *provenance) locate(ev neo4jstore.Evidence) (Span, bool) {
	if ev.Kind == graph.KindChunk && p.at.End > p.at.Start && p.at.End <= len(ev.ChunkText) {
		return p.at, true
	}
	return locate(ev.ChunkText, p.quote)
}
