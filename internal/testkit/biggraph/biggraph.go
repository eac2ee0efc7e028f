// Package biggraph generates large graphs of the form that an index run writes, together
// with the files that such a run would read: documents with chunks, entities with mentions,
// relationships, claims, a hierarchy of communities and their reports, without vectors. The same
// sizes give the same graph.
package biggraph

import (
	"context"
	"fmt"
	"iter"

	"github.com/neorag/neorag/cypher"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// Sizes are the numbers of nodes of a graph. Those that are zero are in proportion to the
// entities, as in real corpora.
type Sizes struct {
	Entities      int // 0 is 100,000
	Relationships int // 0 is 3 per entity
	Chunks        int // about; 0 is 2 per 5 entities
	Claims        int // 0 is 1 per 2 entities
	Seed          uint64

	// Sizes of communities. Half of the relationships are inside one of the deepest level,
	// a third inside one of the middle level.
	Leaf   int // entities in a community of the deepest level; 0 is 8
	Middle int // of these communities in one of the middle level; 0 is 10
	Root   int // of those in one of the root level; 0 is 12
}

const (
	sectionsOfDocument = 20
	maxLabels          = 1000 // communities with labels
)

// complete fills in the sizes that are zero.
func (s Sizes) complete() Sizes {
	for _, size := range []struct {
		value    *int
		standard int
	}{{&s.Entities, 100_000}, {&s.Leaf, 8}, {&s.Middle, 10}, {&s.Root, 12}} {
		if *size.value == 0 {
			*size.value = size.standard
		}
	}
	s.Entities = max(s.Entities, 2*s.Leaf)
	for _, size := range []struct {
		value    *int
		standard int
	}{{&s.Relationships, 3 * s.Entities}, {&s.Chunks, s.Entities * 2 / 5}, {&s.Claims, s.Entities / 2}} {
		if *size.value == 0 {
			*size.value = size.standard
		}
	}
	s.Chunks = max(s.Chunks, sectionsOfDocument) / sectionsOfDocument * sectionsOfDocument
	return s
}

// Options are what a graph is written with besides its sizes. The zero value writes a
// complete graph without files.
type Options struct {
	// Folder is where the documents are written as files; none are written if it is empty.
	// Source and Chunk are the fingerprints of the settings that a run reads and splits
	// documents with: a run with these settings finds the files unchanged.
	Folder        string
	Source, Chunk string
	// WithoutCommunities leaves out communities and reports, and marks the edges as changed:
	// the next run makes them. The corpus must exist.
	WithoutCommunities bool
	// ToDerive marks entities and relationships for the stages derive and describe, whose
	// fingerprints are then the same as in a run.
	ToDerive bool
	// Terms adds the terms that full-text search finds nodes by, as a run writes them, and words to the
	// texts that are as uneven as in real ones.
	Terms bool
}

// Write writes a graph as a new corpus, and calls progress with each step.
func Write(ctx context.Context, store *neo4jstore.Store, corpus string, sizes Sizes, o Options, progress func(string)) error {
	if err := store.EnsureSchema(ctx); err != nil {
		return err
	}
	if !o.WithoutCommunities {
		if err := store.EnsureCorpus(ctx, corpus, 0); err != nil {
			return err
		}
	}
	m := newMaker(corpus, sizes.complete(), o)
	for _, step := range []struct {
		statement cypher.Statement
		rows      iter.Seq2[any, error]
		batch     int
		left      bool // if communities are left out
	}{
		{cypher.BenchCorpus, m.corpusRows(), 1, false},
		{cypher.BenchEntities, m.entities(), 2000, false},
		{cypher.BenchRelationships, m.relationships(), 3000, false},
		{cypher.BenchDocuments, m.documents(ctx), 5, false},
		{cypher.BenchClaims, m.claims(), 3000, false},
		{cypher.BenchCommunities, m.communities(), 3000, true},
		{cypher.BenchMembers, m.members(), 3000, true},
		{cypher.BenchReports, m.reports(), 1000, true},
	} {
		if step.left && o.WithoutCommunities {
			continue
		}
		n, err := store.BenchLoad(ctx, step.statement, corpus, step.rows, step.batch)
		if err != nil {
			return fmt.Errorf("write graph: %w", err)
		}
		progress(fmt.Sprintf("%s: %d rows", step.statement, n))
	}
	return nil
}
