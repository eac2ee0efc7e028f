package neo4jstore

import (
	"context"

	"github.com/neorag/neorag/internal/graph"
)

// MostMentioned reads at most limit entities of some types, or of any type if none is given: those that
// most chunks mention first.
func (s *Store) MostMentioned(ctx context.Context, corpus string, types []string, limit int) ([]graph.Entity, error) {
	return readAll(ctx, s, readMostMentioned, corpus, map[string]any{"types": listOrEmpty(types), "limit": limit}, "read the most mentioned entities")
}

// A Theme is an entity that is not a person, with the key of its community, "" if it has none.
type Theme struct {
	graph.Entity
	Community string
}

// Themes reads at most limit entities other than persons, those that most chunks mention first, with
// their deepest visible communities down to a level.
func (s *Store) Themes(ctx context.Context, corpus string, level, limit int) ([]Theme, error) {
	return readAll(ctx, s, readThemes, corpus, map[string]any{"level": level, "limit": limit}, "read the themes")
}

// A TypeCount is how many entities of some types there are, and how many documents mention one.
type TypeCount struct{ Entities, Documents int }

// CountTypes counts the entities of some types.
func (s *Store) CountTypes(ctx context.Context, corpus string, types []string) (TypeCount, error) {
	n, err := firstRow(ctx, s, readTypeCounts, corpus, map[string]any{"types": listOrEmpty(types)}, nil)
	return n, wrap(err, "count the entities of corpus "+corpus)
}

// OpeningChunks reads the first chunks of each of at most limit documents, by their dates and names.
func (s *Store) OpeningChunks(ctx context.Context, corpus string, limit, chunks int) ([]ChunkRow, error) {
	return s.chunkRows(ctx, readOpeningChunks, corpus, map[string]any{"limit": limit, "chunks": chunks})
}

// MentionsInOrder reads, by entity, at most limit of the chunks that mention it, evenly spread from
// the first to the last. They are sorted by the dates of their documents, the names of these
// and of their places in them; documents without a date come last.
func (s *Store) MentionsInOrder(ctx context.Context, corpus string, entities []string, limit int) (map[string][]ChunkRow, error) {
	out := map[string][]ChunkRow{}
	params := map[string]any{"keys": listOrEmpty(entities), "limit": limit}
	err := eachRow(ctx, s, readMentionsInOrder, corpus, params, func(row mentionsInOrderRow) {
		out[row.Entity] = append(out[row.Entity], row.Chunk)
	})
	return out, wrap(err, "read the mentions of corpus "+corpus)
}

// DatedClaims reads claims with a date about some entities, by date: at most limit of each entity. Their
// records name the entity as the graph does.
func (s *Store) DatedClaims(ctx context.Context, corpus string, entities []string, limit int) ([]graph.Claim, error) {
	return readAll(ctx, s, readDatedClaims, corpus, map[string]any{"keys": listOrEmpty(entities), "limit": limit}, "read the dated claims")
}
