package overview

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/query/retrieve"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// A documentOverview is what the corpora of a scope are about.
type documentOverview struct {
	neo4jstore.Dates

	Named    []graph.Entity // of any type, the overviewNamed that most chunks mention
	Entities []graph.Entity // of the types that were asked for, in the same order
}

// overviewNamed is how many entities of any type an overview names.
const overviewNamed = 3

// readOverview reads what the corpora of the scope are about, with at most limit entities of the types.
// A filter is not applied.
func readOverview(ctx context.Context, r retrieve.Reader, types []string, limit int) (documentOverview, error) {
	var out documentOverview
	for _, c := range r.Corpora {
		span, err := r.Store.Dates(ctx, c.Name)
		if err != nil {
			return out, err
		}
		out.Documents += span.Documents
		if span.First != "" && (out.First == "" || span.First < out.First) {
			out.First = span.First
		}
		out.Last = max(out.Last, span.Last)
		named, err := r.Store.MostMentioned(ctx, c.Name, nil, overviewNamed)
		if err != nil {
			return out, err
		}
		out.Named = append(out.Named, named...)
		if len(types) == 0 {
			continue
		}
		own, err := r.Store.MostMentioned(ctx, c.Name, types, limit)
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
	slices.SortFunc(entities, byFrequency)
	return entities[:min(limit, len(entities))]
}

// byFrequency orders entities by the number of chunks that mention them, the most first.
func byFrequency(a, b graph.Entity) int {
	return cmp.Or(cmp.Compare(b.Frequency, a.Frequency), cmp.Compare(a.Key, b.Key))
}

// readThemes reads at most limit entities other than persons, those that most chunks mention first, with
// their communities down to a level. A filter is not applied.
func readThemes(ctx context.Context, r retrieve.Reader, level, limit int) ([]neo4jstore.Theme, error) {
	out, err := retrieve.ReadCorpora(r, func(c retrieve.Corpus) ([]neo4jstore.Theme, error) { return r.Store.Themes(ctx, c.Name, level, limit) })
	slices.SortFunc(out, func(a, b neo4jstore.Theme) int { return byFrequency(a.Entity, b.Entity) })
	return out[:min(limit, len(out))], err
}

// readCountTypes counts the entities of some types, and the documents that mention one. A filter is not
// applied.
func readCountTypes(ctx context.Context, r retrieve.Reader, types []string) (neo4jstore.TypeCount, error) {
	var all neo4jstore.TypeCount
	for _, c := range r.Corpora {
		own, err := r.Store.CountTypes(ctx, c.Name, types)
		if err != nil {
			return all, err
		}
		all.Entities, all.Documents = all.Entities+own.Entities, all.Documents+own.Documents
	}
	return all, nil
}

// readOpeningChunks reads the first chunks of each of at most limit documents. A filter is not applied.
func readOpeningChunks(ctx context.Context, r retrieve.Reader, limit, chunks int) ([]neo4jstore.ChunkRow, error) {
	var out []neo4jstore.ChunkRow
	for _, c := range r.Corpora {
		own, err := r.Store.OpeningChunks(ctx, c.Name, limit-len(out)/chunks, chunks)
		if err != nil {
			return nil, err
		}
		out = append(out, own...)
	}
	return out, nil
}

// readMentionsInOrder reads, by entity, at most limit of the chunks that mention it, from the first to the
// last. A filter is not applied.
func readMentionsInOrder(ctx context.Context, r retrieve.Reader, entities []string, limit int) (map[string][]neo4jstore.ChunkRow, error) {
	out := map[string][]neo4jstore.ChunkRow{}
	for _, c := range r.Corpora {
		own, err := r.Store.MentionsInOrder(ctx, c.Name, retrieve.KeysOfCorpus(c.Name, entities), limit)
		if err != nil {
			return nil, err
		}
		maps.Copy(out, own)
	}
	return out, nil
}

// readDatedClaims reads claims with a date about the entities that most chunks mention, by date: at most
// limit of each entity. A filter is not applied.
func readDatedClaims(ctx context.Context, r retrieve.Reader, mostEntities, limit int) ([]graph.Claim, error) {
	out, err := retrieve.ReadCorpora(r, func(c retrieve.Corpus) ([]graph.Claim, error) {
		named, err := r.Store.MostMentioned(ctx, c.Name, nil, mostEntities)
		if err != nil {
			return nil, err
		}
		keys := make([]string, len(named))
		for i, e := range named {
			keys[i] = e.Key
		}
		return r.Store.DatedClaims(ctx, c.Name, keys, limit)
	})
	slices.SortFunc(out, func(a, b graph.Claim) int {
		return cmp.Or(cmp.Compare(a.StartDate, b.StartDate), cmp.Compare(a.Key, b.Key))
	})
	return out, err
}

// readStrongestRelationships reads at most limit relationships between entities of some types, or of any
// type if none is given, those with most mentions first. A filter is not applied.
func readStrongestRelationships(ctx context.Context, r retrieve.Reader, types []string, limit int) ([]graph.Relationship, error) {
	out, err := retrieve.ReadCorpora(r, func(c retrieve.Corpus) ([]graph.Relationship, error) {
		return r.Store.StrongestRelationships(ctx, c.Name, types, limit)
	})
	slices.SortFunc(out, func(a, b graph.Relationship) int {
		return cmp.Or(cmp.Compare(b.Weight, a.Weight), cmp.Compare(a.Key, b.Key))
	})
	return out[:min(limit, len(out))], err
}

// readPaths reads how two names are connected, in every corpus that has both: by the relationship between
// them, at most limit paths over another entity or, without any, one over two. A filter is not
// applied.
func readPaths(ctx context.Context, r retrieve.Reader, from, to retrieve.Name, limit int) ([][]graph.Relationship, error) {
	var out [][]graph.Relationship
	for _, a := range from.Keys {
		for _, b := range to.Keys {
			if graph.CorpusOf(a) != graph.CorpusOf(b) {
				continue
			}
			own, err := r.Store.Paths(ctx, graph.CorpusOf(a), a, b, limit)
			if err != nil {
				return nil, err
			}
			out = append(out, own...)
		}
	}
	slices.SortStableFunc(out, func(a, b []graph.Relationship) int { return cmp.Compare(len(a), len(b)) })
	return out, nil
}

// readEntities reads entities by key. A filter is not applied.
func readEntities(ctx context.Context, r retrieve.Reader, keys []string) ([]graph.Entity, error) {
	found, err := r.ReadNeighborhood(ctx, neo4jstore.NeighborhoodQuery{Entities: keys})
	return found.Entities, err
}
