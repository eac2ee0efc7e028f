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

	Named    []graph.Entity // of any type, those that most chunks mention
	Entities []graph.Entity // of the types that were asked for, in the same order
}

// Overview reads what the corpora of the scope are about, with at most limit entities of each kind.
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
		named, err := r.store.MostMentioned(ctx, c.Name, nil, limit)
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
	for _, list := range []*[]graph.Entity{&out.Named, &out.Entities} {
		slices.SortFunc(*list, func(a, b graph.Entity) int {
			return cmp.Or(cmp.Compare(b.Frequency, a.Frequency), cmp.Compare(a.Key, b.Key))
		})
		*list = (*list)[:min(limit, len(*list))]
	}
	return out, nil
}
