package neo4jstore

import (
	"context"

	"github.com/neorag/neorag/internal/graph"
)

// An AliasedEntity is an entity with its other names.
type AliasedEntity struct {
	Key, Name, Type string
	Frequency       int      // chunks that mention it
	Aliases         []string // as they were when it was derived last
	Marked          bool     // to be derived
}

// EntityAliases passes all entities of a corpus to each, in key order.
func (s *Store) EntityAliases(ctx context.Context, corpus string, each func(AliasedEntity)) error {
	return pageSpec[AliasedEntity]{reading: "read the names", statement: readFoldNames, corpus: corpus, key: func(e AliasedEntity) string { return e.Key }}.pass(ctx, s, each)
}

// NamePairs reads the pairs of names that a model was asked about, in the order of their keys.
func (s *Store) NamePairs(ctx context.Context, corpus string) ([]graph.NamePair, error) {
	return pageSpec[graph.NamePair]{
		reading: "read the pairs of names", statement: readNamePairs, corpus: corpus, key: func(p graph.NamePair) string { return graph.NamePairKey(corpus, p.A, p.B) },
	}.all(ctx, s)
}

// A NameMention is what one chunk says about the names of an entity. Names and Types are
// parallel.
type NameMention struct {
	Entity, Chunk, Document string // keys
	Names, Types, Same      []string
	Language                string   // of the document
	Descriptions            []string // parallel to Names, if they were asked for
}

// NameMentions passes all mentions of entities to each, in any order, with their descriptions if
// they are asked for.
func (s *Store) NameMentions(ctx context.Context, corpus string, keys []string, descriptions bool, each func(NameMention)) error {
	err := eachRow(ctx, s, readFoldMentions, corpus, map[string]any{"keys": keys, "descriptions": descriptions}, each)
	return wrap(err, "read mentions of corpus "+corpus)
}

// ChunkMentions is everything that was extracted from a chunk.
type ChunkMentions struct {
	Chunk         graph.Chunk // key, document and text
	Unfolded      string      // as ExtractionWrite.Unfolded; if it is not empty, the lists are empty
	Entities      []EntityMention
	Relationships []RelationshipMention
	Claims        []graph.Claim
}

// ChunkMentions reads everything that was extracted from chunks.
func (s *Store) ChunkMentions(ctx context.Context, corpus string, keys []string) ([]ChunkMentions, error) {
	found, err := rowsAs(ctx, s, readChunkMentions, corpus, map[string]any{"keys": keys}, chunkMentions)
	return found, wrap(err, "read mentions of chunks of corpus "+corpus)
}

func chunkMentions(row chunkMentionsRow) ChunkMentions {
	out := ChunkMentions{Chunk: row.Chunk, Unfolded: row.Unfolded, Entities: row.Entities, Relationships: row.Relationships}
	out.Chunk.Document = row.Document
	for _, m := range row.Claims {
		claim, shared := m.Said, true
		if claim == (graph.Claim{}) {
			claim, shared = m.Claim, false
		}
		claim.Key, claim.Chunk, claim.Shared, claim.Subject, claim.Object = m.Key, out.Chunk.Key, shared, m.Subject, m.Object
		out.Claims = append(out.Claims, claim)
	}
	return out
}
