package query

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/neo4jstore"
)

// maxDescent bounds the steps from a report down to the text: a report may cite
// the report of a child community, and so on.
const maxDescent = 32

// finish resolves what the statements cite, numbers it, and writes the answer.
// A statement whose reference resolves to nothing is taken out and counted.
func (r request) finish(ctx context.Context, d draft, headings bool) (Answer, error) {
	if d.written {
		return r.finishWritten(ctx, d)
	}
	var all []statement
	for _, s := range d.statements {
		all = append(append(all, s), s.also...)
	}
	refs, err := r.resolve(ctx, all, d.known)
	if err != nil {
		return Answer{}, fmt.Errorf("resolve references: %w", err)
	}
	a := Answer{Usage: d.usage(), Notes: d.notes}
	var kept []statement
	var keptRefs [][]Reference
	at := 0
	for _, s := range d.statements {
		own := apart(refs[at : at+1+len(s.also)])
		at += 1 + len(s.also)
		if len(own) == 0 {
			a.Dangling++
			continue
		}
		var removed int
		s.text, removed = ownWords(s.text)
		s.title = titled(s.title)
		a.Dangling += removed
		if s.text == "" {
			continue
		}
		kept, keptRefs = append(kept, s), append(keptRefs, own)
	}
	number := map[Reference]int{}
	next := 0
	a.Answer = markdown(kept, headings, func(statement) []int {
		own := keptRefs[next]
		next++
		numbers := make([]int, len(own))
		for i, ref := range own {
			n, ok := number[ref]
			if !ok {
				n = len(a.References) + 1
				number[ref] = n
				ref.N = n
				a.References = append(a.References, ref)
			}
			numbers[i] = n
		}
		return numbers
	})
	return a, nil
}

// apart are the references of a statement that resolve, each place in a
// document once: chunks overlap, and reports quote them.
func apart(refs []Reference) []Reference {
	var out []Reference
	for _, ref := range refs {
		again := slices.ContainsFunc(out, func(o Reference) bool {
			return o.Document == ref.Document && o.Start < ref.End && ref.Start < o.End
		})
		if ref.Key != "" && !again {
			out = append(out, ref)
		}
	}
	return out
}

func (d draft) usage() Usage { return Usage{ContextTokens: d.tokens, ContextItems: d.items} }

func reference(r neo4jstore.ReportRow) graph.Reference {
	return graph.Reference{Kind: graph.KindReport, Key: r.Key}
}

// resolve finds for every statement the words of a document that it rests on.
// The zero Reference stands for one that resolves to nothing.
func (r request) resolve(ctx context.Context, statements []statement, have known) ([]Reference, error) {
	out := make([]Reference, len(statements))
	trails := make([]trail, len(statements))
	for i, s := range statements {
		out[i] = Reference{Kind: s.target.Kind, Key: s.target.Key, Title: titled(s.title), Corpus: corpusOf(s.target.Key)}
		trails[i] = trail{quote: s.text, at: s.quote, next: s.inner}
		if s.target.Kind != graph.KindReport || len(s.inner) == 0 {
			trails[i].next = []graph.Reference{s.target}
		}
	}
	if err := r.reader.descend(ctx, trails, have); err != nil {
		return nil, err
	}
	for i, t := range trails {
		if !t.found && (!t.exists || r.reader.Filtered()) { // with a filter, words of other documents are no evidence
			out[i] = Reference{}
			continue
		}
		out[i].Chunk, out[i].Document, out[i].Start, out[i].End, out[i].Quote = t.chunk, t.document, t.start, t.end, t.words
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
	chunk    string
	start    int
	end      int
	words    string
	steps    []Step // what was passed on the way
}

// known is evidence by what it is of.
type known map[graph.Reference]neo4jstore.Evidence

// chunk adds a chunk that was read with its document.
func (k known) chunk(row neo4jstore.ChunkRow) {
	k[graph.Reference{Kind: graph.KindChunk, Key: row.Key}] = neo4jstore.Evidence{
		Kind: graph.KindChunk, Key: row.Key, Title: row.DocumentTitle, Text: row.Text, Chunk: row.Key,
		Document: row.Document, DocumentURI: row.DocumentURI, Start: row.Start, End: row.End, ChunkText: row.Text,
	}
}

// descend follows all trails at once, one read per step: reports to what they
// cite, entities, relationships and claims to their chunks. What is known
// already is not read again.
func (r Reader) descend(ctx context.Context, trails []trail, have known) error {
	found := known{}
	maps.Copy(found, have)
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
		wanted = slices.DeleteFunc(wanted, func(ref graph.Reference) bool { _, ok := found[ref]; return ok })
		if len(wanted) > 0 {
			evidence, err := r.Evidence(ctx, wanted)
			if err != nil {
				return err
			}
			for _, ev := range evidence {
				found[graph.Reference{Kind: ev.Kind, Key: ev.Key}] = ev
			}
		}
		for i := range trails {
			if !trails[i].found {
				trails[i].step(found)
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
func (t *trail) step(found known) {
	var next []graph.Reference
	var fallback *neo4jstore.Evidence
	for _, ref := range t.next {
		ev, ok := found[graph.Reference{Kind: ref.Kind, Key: ref.Key}]
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
		t.take(*fallback, nearestSentence(fallback.ChunkText, t.quote))
	}
}

// nearestSentence is the sentence of a text that shares most with a quote which
// the text does not hold word by word; the whole text when none shares anything.
func nearestSentence(text, quote string) span {
	words := termSet(quote)
	at, most := span{0, len(text)}, 0
	for _, s := range sentences(text) {
		shared := 0
		for w := range termSet(text[s.start:s.end]) {
			if words[w] {
				shared++
			}
		}
		if shared > most {
			at, most = s, shared
		}
	}
	return at
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
	t.document, t.chunk = ev.DocumentURI, ev.Chunk
	t.start, t.end = ev.Start+at.start, ev.Start+at.end
	t.words = ev.ChunkText[at.start:at.end]
	t.steps = append(t.steps, Step{
		Kind: graph.KindDocument, Key: ev.Document, Title: ev.DocumentURI,
		Before: tail(ev.ChunkText[:at.start]), Quote: t.words, After: head(ev.ChunkText[at.end:]),
		Start: t.start, End: t.end,
	})
}
