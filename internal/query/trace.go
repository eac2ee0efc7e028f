package query

import (
	"context"
	"fmt"
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/query/cite"
	"github.com/neorag/neorag/internal/query/retrieve"
)

// Trace follows a reference down to the quote in a document, step by step. If
// quote is empty, the text of the node is looked for in the document.
func (e *Engine) Trace(ctx context.Context, ref graph.Reference, quote string) ([]cite.Step, error) {
	return cite.Resolver{Evidence: retrieve.NewReader(e.store, e.corpora...)}.Trace(ctx, ref, quote)
}

// Find looks up a node to trace by "kind:name", such as "entity:Scrooge".
func (e *Engine) Find(ctx context.Context, spec string) (graph.Reference, error) {
	kind, name, ok := strings.Cut(spec, ":")
	if !ok || strings.TrimSpace(name) == "" {
		return graph.Reference{}, fmt.Errorf("reference %q: give the number of a reference, or kind:name such as entity:Scrooge", spec)
	}
	for _, c := range e.corpora {
		refs, err := e.store.Find(ctx, c.Name, parseKind(kind), name, 1)
		if err != nil {
			return graph.Reference{}, err
		}
		if len(refs) > 0 {
			return refs[0], nil
		}
	}
	return graph.Reference{}, fmt.Errorf("find %s %q in corpus %s: not found; names are matched in any letter case, but whole", kind, name, e.options.Corpus)
}

// parseKind reads a kind in any letter case.
func parseKind(s string) graph.Kind {
	s = strings.ToLower(strings.TrimSpace(s))
	if s == "" {
		return ""
	}
	return graph.Kind(strings.ToUpper(s[:1]) + s[1:])
}
