package cite

import (
	"context"
	"fmt"
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/text"
	"github.com/neorag/neorag/internal/text/textproc"
)

// A Step is one node on the way from a reference to the words of a document.
// The last step is a document, with the quote and the text around it, unless no
// document holds words like the words of the node.
type Step struct {
	Kind   graph.Kind `json:"kind"`
	Key    string     `json:"key"`
	Title  string     `json:"title"`
	Text   string     `json:"text,omitempty"`
	Before string     `json:"before,omitempty"` // the text before the quote
	Quote  string     `json:"quote,omitempty"`
	After  string     `json:"after,omitempty"`
	Start  int        `json:"start,omitempty"` // byte of the file, or of the text of the document if converted
	End    int        `json:"end,omitempty"`
	Place
	Approximate bool `json:"approximate,omitempty"` // the quote was found by similarity; left out when it was found word for word
}

// maxAround is the length of the text on each side of a quote, in bytes.
const maxAround = 240

// Trace follows a reference down to the quote in a document and returns the
// steps. If quote is empty, the text of the node is looked for in the document.
// It returns an error for a reference to a node that does not exist.
func (r Resolver) Trace(ctx context.Context, ref graph.Reference, quote string) ([]Step, error) {
	t := []quoteSearch{{text: quote, content: contentOf(quote, ""), ownWords: true, everywhere: quote != "", target: ref, next: []graph.Reference{ref}}}
	if _, err := r.follow(ctx, t, nil, nil); err != nil {
		return nil, fmt.Errorf("trace %s %s: %w", ref.Kind, ref.Key, err)
	}
	if !t[0].exists {
		return nil, fmt.Errorf("trace %s %s: it points at nothing; the corpus may have been indexed again since", ref.Kind, ref.Key)
	}
	if steps := t[0].steps; t[0].quoted {
		chunks, err := r.placedChunks(ctx, []string{t[0].Chunk})
		if err != nil {
			return nil, fmt.Errorf("trace %s %s: %w", ref.Kind, ref.Key, err)
		}
		end := &steps[len(steps)-1]
		end.Place, end.Start, end.End = placeIn(chunks[t[0].Chunk], end.Start, end.End)
	}
	return t[0].steps, nil
}

// visit adds a node to the steps, once. Without a quote it takes the node's own words.
func (p *quoteSearch) visit(ev neo4jstore.Evidence) {
	for _, s := range p.steps {
		if s.Kind == ev.Kind && s.Key == ev.Key {
			return
		}
	}
	if p.text == "" && p.ownWords {
		p.text = firstQuote(ev)
		p.content = contentOf(p.text, "")
	}
	p.steps = append(p.steps, Step{Kind: ev.Kind, Key: ev.Key, Title: ev.Title, Text: ev.Text})
}

// resolveTo resolves a citation to words of a chunk.
func (p *quoteSearch) resolveTo(ev neo4jstore.Evidence, at textproc.Span, approximate bool, coverage float64) {
	p.quoted = true
	p.setQuote(quoteAt(ev, at, approximate, coverage))
	p.steps = append(p.steps, Step{
		Kind: graph.KindDocument, Key: ev.Document, Title: ev.DocumentURI,
		Before: tail(ev.ChunkText[:at.Start]), Quote: p.Quote, After: head(ev.ChunkText[at.End:]),
		Start: p.Start, End: p.End, Approximate: approximate,
	})
}

// firstQuote is the words to look for when only a node is given.
func firstQuote(ev neo4jstore.Evidence) string {
	if ev.Quote != "" {
		return ev.Quote
	}
	for _, c := range splitCited(ev.Text) {
		return c.text
	}
	return ""
}

// tail returns the last maxAround bytes of a text, from the start of a word.
func tail(s string) string {
	if len(s) <= maxAround {
		return s
	}
	_, rest, _ := strings.Cut(s[len(s)-maxAround:], " ")
	return strings.ToValidUTF8(rest, "")
}

// head returns the first maxAround bytes of a text, to the end of a word.
func head(s string) string {
	if len(s) <= maxAround {
		return s
	}
	s = text.Truncate(s, maxAround)
	if i := strings.LastIndexByte(s, ' '); i > 0 {
		s = s[:i]
	}
	return s
}
