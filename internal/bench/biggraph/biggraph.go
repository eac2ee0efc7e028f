// Package biggraph makes large graphs that look as an index run leaves them, in
// a minute or two: documents with chunks, entities with mentions, relationships,
// claims, a hierarchy of communities and their reports, without vectors and
// terms. The same sizes give the same graph.
package biggraph

import (
	"context"
	"fmt"

	"github.com/neorag/neorag/cypher"
	"github.com/neorag/neorag/internal/neo4jstore"
)

// Sizes say how large a graph is. What is zero is in proportion to the
// entities, as it is in corpora that were indexed.
type Sizes struct {
	Entities      int // 0 is 100,000
	Relationships int // 3 of each entity
	Chunks        int // 2 for 5 entities
	Claims        int // 1 for 2 entities
	Seed          uint64
}

const (
	chunksOfDocument = 20
	leafSize         = 8  // entities of the smallest communities
	middleLeaves     = 10 // of them in one of the level above
	rootMiddles      = 12 // of those in one of the root level
	mentionsOfEntity = 3  // at least
	maxLabels        = 1000
)

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

// Write makes the graph as a corpus that is not there yet. It tells progress
// what it does.
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
		part      int
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
		if err := store.BenchLoad(ctx, step.statement, corpus, rows, step.part); err != nil {
			return fmt.Errorf("make a graph: %w", err)
		}
	}
	return nil
}
