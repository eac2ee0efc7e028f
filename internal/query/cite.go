package query

import (
	"context"
	"fmt"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/neo4jstore"
)

// maxDescent bounds the steps from a report down to the text: a report may cite
// the report of a child community, and so on.
const maxDescent = 32

// finish resolves what the statements cite, numbers it, and writes the answer.
// A statement whose reference resolves to nothing is taken out and counted.
func (e *Engine) finish(ctx context.Context, d draft, headings bool) (Answer, error) {
	if d.written {
		return e.finishWritten(ctx, d)
	}
	refs, err := e.resolve(ctx, d.statements)
	if err != nil {
		return Answer{}, fmt.Errorf("resolve references: %w", err)
	}
	a := Answer{Usage: d.usage(), Notes: d.notes}
	number := map[Reference]int{}
	var kept []statement
	var keptRefs []Reference
	for i, s := range d.statements {
		if refs[i].Key == "" {
			a.Dangling++
			continue
		}
		kept = append(kept, s)
		keptRefs = append(keptRefs, refs[i])
	}
	next := 0
	a.Answer = markdown(kept, headings, func(statement) int {
		ref := keptRefs[next]
		next++
		n, ok := number[ref]
		if !ok {
			n = len(a.References) + 1
			number[ref] = n
			ref.N = n
			a.References = append(a.References, ref)
		}
		return n
	})
	return a, nil
}

func (d draft) usage() Usage { return Usage{ContextTokens: d.tokens, ContextItems: d.items} }

func reference(r neo4jstore.ReportRow) graph.Reference {
	return graph.Reference{Kind: graph.KindReport, Key: r.Key}
}

// resolve finds for every statement the words of a document that it rests on.
// The zero Reference stands for one that resolves to nothing.
func (e *Engine) resolve(ctx context.Context, statements []statement) ([]Reference, error) {
	out := make([]Reference, len(statements))
	trails := make([]trail, len(statements))
	for i, s := range statements {
		out[i] = Reference{Kind: s.target.Kind, Key: s.target.Key, Title: s.title, Corpus: corpusOf(s.target.Key)}
		trails[i] = trail{quote: s.text, at: s.quote, next: s.inner}
		if s.target.Kind != graph.KindReport || len(s.inner) == 0 {
			trails[i].next = []graph.Reference{s.target}
		}
	}
	if err := e.descend(ctx, trails); err != nil {
		return nil, err
	}
	for i, t := range trails {
		if !t.found && (!t.exists || e.only != nil) { // with a filter, words of other documents are no evidence
			out[i] = Reference{}
			continue
		}
		out[i].Document, out[i].Start, out[i].End, out[i].Quote = t.document, t.start, t.end, t.words
	}
	return out, nil
}

// A trail follows one quote from what cites it down to a document.
type trail struct {
	quote    string
	at       span              // of the quote in its chunk, where that is known
	next     []graph.Reference // where to look now
	exists   bool              // something that was looked at is there
	found    bool
	document string // URI
	start    int
	end      int
	words    string
	steps    []Step // what was passed on the way
}

// descend follows all trails at once, one read per step: reports to what they
// cite, entities, relationships and claims to their chunks.
func (e *Engine) descend(ctx context.Context, trails []trail) error {
	seen := map[graph.Reference]bool{}
	for range maxDescent {
		var wanted []graph.Reference
		for i := range trails {
			if trails[i].found {
				continue
			}
			for _, ref := range trails[i].next {
				wanted = append(wanted, graph.Reference{Kind: ref.Kind, Key: ref.Key})
			}
		}
		wanted = unique(wanted, seen)
		if len(wanted) == 0 {
			return nil
		}
		evidence, err := e.evidence(ctx, wanted)
		if err != nil {
			return err
		}
		known := map[graph.Reference]neo4jstore.Evidence{}
		for _, ev := range evidence {
			known[graph.Reference{Kind: ev.Kind, Key: ev.Key}] = ev
		}
		for i := range trails {
			if !trails[i].found {
				trails[i].step(known)
			}
		}
	}
	return nil
}

// unique drops references that were asked for before: a cycle ends.
func unique(refs []graph.Reference, seen map[graph.Reference]bool) []graph.Reference {
	var out []graph.Reference
	here := map[graph.Reference]bool{}
	for _, r := range refs {
		if !here[r] {
			here[r] = true
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

// step looks for the quote in what was found, and moves on where it is not.
func (t *trail) step(known map[graph.Reference]neo4jstore.Evidence) {
	var next []graph.Reference
	var fallback *neo4jstore.Evidence
	for _, ref := range t.next {
		ev, ok := known[graph.Reference{Kind: ref.Kind, Key: ref.Key}]
		if !ok {
			continue
		}
		t.exists = true
		t.pass(ev)
		if ev.ChunkText != "" {
			if at, ok := t.locate(ev); ok {
				t.take(ev, at)
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
	t.next = next
	if len(next) == 0 && fallback != nil {
		t.take(*fallback, span{0, len(fallback.ChunkText)})
	}
}

// locate finds the quote in a chunk's text.
func (t *trail) locate(ev neo4jstore.Evidence) (span, bool) {
	if ev.Kind == graph.KindChunk && t.at.end > t.at.start && t.at.end <= len(ev.ChunkText) {
		return t.at, true
	}
	return locate(ev.ChunkText, t.quote)
}

// take ends the trail at words of a chunk.
func (t *trail) take(ev neo4jstore.Evidence, at span) {
	t.found = true
	t.document = ev.DocumentURI
	t.start, t.end = ev.Start+at.start, ev.Start+at.end
	t.words = ev.ChunkText[at.start:at.end]
	t.steps = append(t.steps, Step{
		Kind: graph.KindDocument, Key: ev.Document, Title: ev.DocumentURI,
		Before: tail(ev.ChunkText[:at.start]), Quote: t.words, After: head(ev.ChunkText[at.end:]),
		Start: t.start, End: t.end,
	})
}
