package neo4jstore

import (
	"context"
	"iter"

	"github.com/neorag/neorag/internal/graph"
)

// exportPage is how many nodes an export reads at a time. Pages of reports, chunks and
// mentions, which are larger, are a quarter of it.
const exportPage = 1000

// Entities returns all entities of a corpus in key order. It reads them in pages of
// exportPage and holds one page in memory. The sequence ends with the first error, and
// can be iterated again.
func (s *Store) Entities(ctx context.Context, corpus string) iter.Seq2[graph.Entity, error] {
	return pageSpec[graph.Entity]{
		statement: readExportEntities, corpus: corpus, limit: exportPage, key: func(e graph.Entity) string { return e.Key },
	}.seq(ctx, s)
}

// Relationships returns all relationships of a corpus, like Entities.
func (s *Store) Relationships(ctx context.Context, corpus string) iter.Seq2[graph.Relationship, error] {
	return pageSpec[graph.Relationship]{
		statement: readExportRelationships, corpus: corpus, limit: exportPage, key: func(r graph.Relationship) string { return r.Key },
		skip: func(r graph.Relationship) bool { return r.Source == "" || r.Target == "" },
	}.seq(ctx, s)
}

// Reports returns all reports that are valid in a generation, in the order of the keys
// of their communities, like Entities.
func (s *Store) Reports(ctx context.Context, corpus string, generation int64) iter.Seq2[graph.Report, error] {
	return pageSpec[graph.Report]{
		statement: readExportReports, corpus: corpus, params: map[string]any{"generation": generation}, limit: exportPage / 4,
		key: func(r graph.Report) string { return r.Community }, skip: func(r graph.Report) bool { return r.Key == "" },
	}.seq(ctx, s)
}

// Mentions are the chunks that mention an entity most, most records first, and a name
// of the entity in each.
type Mentions struct {
	Entity string
	Chunks []Mention
}

// A Mention is the key of a chunk and a name of an entity in it.
type Mention struct{ Chunk, Name string }

// Mentions returns at most limit chunks for every entity of a corpus, like Entities.
func (s *Store) Mentions(ctx context.Context, corpus string, limit int) iter.Seq2[Mentions, error] {
	return pageSpec[Mentions]{
		statement: readExportMentions, corpus: corpus, params: map[string]any{"supports": limit}, limit: exportPage / 4,
		key: func(m Mentions) string { return m.Entity },
	}.seq(ctx, s)
}

// Chunks returns all chunks of a corpus with their documents, like Entities.
func (s *Store) Chunks(ctx context.Context, corpus string) iter.Seq2[ChunkRow, error] {
	return pageSpec[ChunkRow]{
		statement: readChunkRowPage, corpus: corpus, limit: exportPage / 4, key: func(c ChunkRow) string { return c.Key },
	}.seq(ctx, s)
}
