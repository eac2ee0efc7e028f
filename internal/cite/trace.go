package query

import (
	"context"
	"fmt"
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/neo4jstore"
)

// A Step is one node on the way from a reference to the words of a document.
// The last step is a document, with the quote and its surroundings.
type Step struct {
	Kind   graph.Kind `json:"kind"`
	Key    string     `json:"key"`
	Title  string     `json:"title"`
	Text   string     `json:"text,omitempty"`
	Before string     `json:"before,omitempty"`
	Quote  string     `json:"quote,omitempty"`
	After  string     `json:"after,omitempty"`
	Start  int        `json:"start,omitempty"` // byte offsets in the document's text
	End    int        `json:"end,omitempty"`
}

// surroundings is how much text stands on each side of a quote, in bytes.
const surroundings = 240

// Trace follows a reference down to the quote in a document, step by step.
// quote may be empty: then the node's own words are looked for. The error is
// neo4jstore.ErrNoCorpus, or says that the reference points at nothing.
func (e *Engine) Trace(ctx context.Context, ref graph.Reference, quote string) ([]Step, error) {
	t := []trail{{quote: quote, next: []graph.Reference{ref}}}
	if err := NewReader(e.store, e.corpora...).descend(ctx, t, nil); err != nil {
		return nil, fmt.Errorf("trace %s %s: %w", ref.Kind, ref.Key, err)
	}
	if !t[0].exists {
		return nil, fmt.Errorf("trace %s %s: it points at nothing; the corpus may have been indexed again since", ref.Kind, ref.Key)
	}
	return t[0].steps, nil
}

// Find looks up a node to trace by "kind:name", as in "entity:Scrooge".
func (e *Engine) Find(ctx context.Context, spec string) (graph.Reference, error) {
	kind, name, ok := strings.Cut(spec, ":")
	if !ok || strings.TrimSpace(name) == "" {
		return graph.Reference{}, fmt.Errorf("reference %q: give the number of a reference, or kind:name as in entity:Scrooge", spec)
	}
	refs, err := e.store.Find(ctx, e.options.Corpus, kindOf(kind), name, 1)
	if err != nil {
		return graph.Reference{}, err
	}
	if len(refs) == 0 {
		return graph.Reference{}, fmt.Errorf("find %s %q in corpus %s: there is none; names are matched in any letter case, but whole", kind, name, e.options.Corpus)
	}
	return refs[0], nil
}

// kindOf reads a kind in any letter case.
func kindOf(s string) graph.Kind {
	s = strings.ToLower(strings.TrimSpace(s))
	if s == "" {
		return ""
	}
	return graph.Kind(strings.ToUpper(s[:1]) + s[1:])
}

// pass remembers a node on the way, once.
func (t *trail) pass(ev neo4jstore.Evidence) {
	for _, s := range t.steps {
		if s.Kind == ev.Kind && s.Key == ev.Key {
			return
		}
	}
	if t.quote == "" {
		t.quote = firstQuote(ev)
	}
	t.steps = append(t.steps, Step{Kind: ev.Kind, Key: ev.Key, Title: ev.Title, Text: ev.Text})
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

// tail and head are the text beside a quote, cut at a word.
func tail(s string) string {
	if len(s) <= surroundings {
		return s
	}
	s = s[len(s)-surroundings:]
	_, rest, _ := strings.Cut(s, " ")
	return strings.ToValidUTF8(rest, "")
}

func head(s string) string {
	if len(s) <= surroundings {
		return s
	}
	s = s[:surroundings]
	if i := strings.LastIndexByte(s, ' '); i > 0 {
		s = s[:i]
	}
	return strings.ToValidUTF8(s, "")
}
