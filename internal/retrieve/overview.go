package retrieve

import (
	"cmp"
	"context"
	"slices"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/neo4jstore"
)

// An Overview is what the corpora of a scope are about.
type Overview struct {
	neo4jstore.DocumentSpan

	Named    []graph.Entity // of any type, the overviewNamed that most chunks mention
	Entities []graph.Entity // of the types that were asked for, in the same order
}

// overviewNamed is how many entities of any type an overview names.
const overviewNamed = 3

// Overview reads what the corpora of the scope are about, with at most limit entities of the types.
// A filter is not applied.
func (r Reader) Overview(ctx context.Context, types []string, limit int) (Overview, error) {
	var out Overview
	for _, c := range r.corpora {
		span, err := r.store.DocumentSpan(ctx, c.Name)
		if err != nil {
			return out, err
		}
		out.Documents += span.Documents
		if span.First != "" && (out.First == "" || span.First < out.First) {
			out.First = span.First
		}
		out.Last = max(out.Last, span.Last)
		named, err := r.store.MostMentioned(ctx, c.Name, nil, overviewNamed)
		if err != nil {
			return out, err
		}
		out.Named = append(out.Named, named...)
		if len(types) == 0 {
			continue
		}
		own, err := r.store.MostMentioned(ctx, c.Name, types, limit)
		if err != nil {
			return out, err
		}
		out.Entities = append(out.Entities, own...)
	}
	out.Named, out.Entities = mostMentioned(out.Named, overviewNamed), mostMentioned(out.Entities, limit)
	return out, nil
}

// mostMentioned returns at most limit of some entities, those that most chunks mention first.
func mostMentioned(entities []graph.Entity, limit int) []graph.Entity {
	slices.SortFunc(entities, func(a, b graph.Entity) int {
		return cmp.Or(cmp.Compare(b.Frequency, a.Frequency), cmp.Compare(a.Key, b.Key))
	})
	return entities[:min(limit, len(entities))]
}
