// Package biggraph generates large graphs of the form that an index run writes, in a
// minute or two: documents with chunks, entities with mentions, relationships, claims, a
// hierarchy of communities and their reports, without vectors and terms. The same sizes
// give the same graph.
package biggraph

import (
	"context"
	"fmt"

	"github.com/neorag/neorag/cypher"
	"github.com/neorag/neorag/internal/neo4jstore"
)

// Sizes are the numbers of nodes of a graph. Those that are zero are in proportion to the
// entities, as in real corpora.
type Sizes struct {
	Entities      int // 0 is 100,000
	Relationships int // 0 is 3 per entity
	Chunks        int // 0 is 2 per 5 entities
	Claims        int // 0 is 1 per 2 entities
	Seed          uint64
}

const (
	chunksOfDocument = 20   // chunks of every document
	leafSize         = 8    // entities in a community of the deepest level
	middleLeaves     = 10   // of these communities in one of the middle level
	rootMiddles      = 12   // of those in one of the root level
	mentionsOfEntity = 3    // mentions of an entity, at least
	maxLabels        = 1000 // communities with labels
)

// complete fills in the sizes that are zero.
func (s Sizes) complete() Sizes {
	if s.Entities == 0 {
		s.Entities = 100_000
	}
	s.Entities = max(s.Entities, 2*leafSize)
	for _, size := range []struct {
		value    *int
		standard int
	}{{&s.Relationships, 3 * s.Entities}, {&s.Chunks, s.Entities * 2 / 5}, {&s.Claims, s.Entities / 2}} {
		if *size.value == 0 {
			*size.value = size.standard
		}
	}
	s.Chunks = max(s.Chunks, chunksOfDocument) / chunksOfDocument * chunksOfDocument
	return s
}

// Write writes a graph as a new corpus, and calls progress with each step.
func Write(ctx context.Context, store *neo4jstore.Store, corpus string, sizes Sizes, progress func(string)) error {
	if err := store.EnsureSchema(ctx); err != nil {
		return err
	}
	if err := store.EnsureCorpus(ctx, corpus, 0); err != nil {
		return err
	}
	m := newMaker(corpus, sizes.complete())
	for _, step := range []struct {
		statement cypher.Statement
		rows      func() []any
		batch     int
	}{
		{cypher.BenchCorpus, m.corpusRows, 1},
		{cypher.BenchDocuments, m.documents, 1000},
		{cypher.BenchChunks, m.chunks, 50},
		{cypher.BenchEntities, m.entities, 2000},
		{cypher.BenchRelationships, m.relationships, 3000},
		{cypher.BenchClaims, m.claims, 3000},
		{cypher.BenchCommunities, m.communities, 3000},
		{cypher.BenchMembers, m.members, 3000},
		{cypher.BenchReports, m.reports, 1000},
	} {
		rows := step.rows()
		progress(fmt.Sprintf("%s: %d rows", step.statement, len(rows)))
		if err := store.BenchLoad(ctx, step.statement, corpus, rows, step.batch); err != nil {
			return fmt.Errorf("write graph: %w", err)
		}
	}
	return nil
}
