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
	if err := r.follow(ctx, trails, known); err != nil {
		return nil, err
	}
	for i, t := range trails {
		if !t.resolved && (!t.exists || r.Filtered) {
			out[i] = Reference{}
			continue
		}
		out[i].Chunk, out[i].Document, out[i].Start, out[i].End, out[i].Quote = t.chunk, t.document, t.start, t.end, t.words
	}
	return out, nil
}

// A provenance is the way of one quote from what cites it down to a document.
type provenance struct {
	quote    string
	at       Span              // of the quote in its chunk; zero where unknown
	next     []graph.Reference // where to look in the next step
	exists   bool              // one of the references exists
	resolved bool
	document string // URI
	chunk    string
	start    int
	end      int
	words    string
	steps    []Step
}

// follow follows all quotes together, one read for each step: from reports to
// what they cite, from entities, relationships and claims to their chunks. What
// is known is not read again.
func (r Resolver) follow(ctx context.Context, trails []provenance, known Known) error {
	found := Known{}
	maps.Copy(found, known)
	seen := map[graph.Reference]bool{}
	for range maxSteps {
		wanted := unseen(nextReferences(trails), seen)
		if len(wanted) == 0 {
			return nil
		}
		wanted = slices.DeleteFunc(wanted, func(ref graph.Reference) bool { _, ok := found[ref]; return ok })
		if len(wanted) > 0 {
			evidence, err := r.Evidence.Evidence(ctx, wanted)
			if err != nil {
				return err
			}
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
	return nil
}

// nextReferences returns where the quotes that are not resolved yet are looked for next.
func nextReferences(trails []provenance) []graph.Reference {
	var out []graph.Reference
	for _, t := range trails {
		if t.resolved {
			continue
		}
		for _, ref := range t.next {
			out = append(out, graph.Reference{Kind: ref.Kind, Key: ref.Key})
		}
	}
	return out
}

// unseen returns the references, each once, or nil when all of them were
// followed before, so that a cycle ends. It adds them to seen.
func unseen(refs []graph.Reference, seen map[graph.Reference]bool) []graph.Reference {
	var out []graph.Reference
	unique := map[graph.Reference]bool{}
	for _, r := range refs {
		if !unique[r] {
			unique[r] = true
			out = append(out, r)
		}
	}
	fresh := false
	for _, r := range out {
		fresh = fresh || !seen[r]
		seen[r] = true
	}
	if !fresh {
		return nil
	}
	return out
}

// step looks for the quote in the next references, and moves on to what supports
// those that do not hold it. When there is nothing left to look at, the most
// similar sentence of a chunk resolves the quote.
func (p *provenance) step(found Known) {
	var next []graph.Reference
	var fallback *neo4jstore.Evidence
	for _, ref := range p.next {
		ev, ok := found[graph.Reference{Kind: ref.Kind, Key: ref.Key}]
		if !ok {
			continue
		}
		p.exists = true
		p.visit(ev)
		if ev.ChunkText != "" {
			if at, ok := p.locate(ev); ok {
				p.resolveTo(ev, at)
				return
			}
			if fallback == nil {
				fallback = &ev
			}
		}
		if ev.Kind != graph.KindChunk {
			next = append(next, ev.Supports...)
		}
	}
	p.next = next
	if len(next) == 0 && fallback != nil {
		p.resolveTo(*fallback, mostSimilarSentence(fallback.ChunkText, p.quote))
	}
}

// locate finds the quote in a chunk's text.
func (p *provenance) locate(ev neo4jstore.Evidence) (Span, bool) {
	if ev.Kind == graph.KindChunk && p.at.End > p.at.Start && p.at.End <= len(ev.ChunkText) {
		return p.at, true
	}
	return locate(ev.ChunkText, p.quote)
}

// mostSimilarSentence is the sentence of a text that shares most terms with a
// quote that the text does not hold literally; the whole text when none shares any.
func mostSimilarSentence(source, quote string) Span {
	terms := textproc.TermSetOf(quote)
	at, most := Span{0, len(source)}, 0
	for _, s := range sentences(source) {
		if shared := textproc.TermSetOf(source[s.Start:s.End]).Shared(terms); shared > most {
			at, most = s, shared
		}
	}
	return at
}
