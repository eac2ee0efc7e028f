package neo4jstore

import (
	"context"
	"fmt"

	"github.com/neorag/neorag/cypher"
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
	err := eachPaged(ctx, s, cypher.ReadFoldNames, corpus, readPage, nil, func(v values) AliasedEntity {
		return AliasedEntity{
			Key: v.text("key"), Name: v.text("name"), Type: v.text("type"), Frequency: v.int("frequency"), Aliases: v.texts("aliases"), Marked: v.flag("marked"),
		}
	}, func(e AliasedEntity) string { return e.Key }, each)
	return wrap(err, "read the names of corpus "+corpus)
}

// NamePairs reads the pairs of names that a model was asked about, in the order of their keys.
func (s *Store) NamePairs(ctx context.Context, corpus string) ([]graph.NamePair, error) {
	pairs, err := pagedRows(ctx, s, cypher.ReadNamePairs, corpus, nil, func(v values) graph.NamePair {
		return graph.NamePair{A: v.text("a"), B: v.text("b"), Same: v.flag("same")}
	}, func(p graph.NamePair) string { return graph.NamePairKey(corpus, p.A, p.B) })
	return pairs, wrap(err, "read the pairs of names of corpus "+corpus)
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
	err := s.read(ctx, cypher.ReadFoldMentions, corpus, map[string]any{"keys": keys, "descriptions": descriptions}, eachRow(func(v values) {
		each(NameMention{v.text("key"), v.text("chunk"), v.text("document"), v.texts("names"), v.texts("types"), v.texts("same"), v.text("language"), v.texts("descriptions")})
	}))
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
	found, err := rows(ctx, s, cypher.ReadChunkMentions, corpus, map[string]any{"keys": keys}, chunkMentions)
	if err != nil {
		return nil, fmt.Errorf("read mentions of chunks of corpus %s: %w", corpus, err)
	}
	return found, nil
}

func chunkMentions(v values) ChunkMentions {
	c := v.sub("chunk")
	out := ChunkMentions{Chunk: graph.Chunk{Key: c.text("key"), Document: v.text("document"), Text: c.text("text")}, Unfolded: v.text("unfolded")}
	for _, m := range v.maps("entities") {
		out.Entities = append(out.Entities, EntityMention{
			Entity: m.text("key"), Names: m.texts("names"), Types: m.texts("types"), Descriptions: m.texts("descriptions"), Absent: m.flag("absent"), Same: m.texts("same"),
		})
	}
	for _, m := range v.maps("relationships") {
		out.Relationships = append(out.Relationships, RelationshipMention{
			Relationship: m.text("key"), Source: m.text("source"), Target: m.text("target"), Descriptions: m.texts("descriptions"),
			Keywords: m.texts("keywords"), Strength: m.int("strength"), Count: m.int("count"), Forward: m.int("forward"),
		})
	}
	for _, m := range v.maps("claims") {
		said, shared := m.sub("said"), true
		if len(said) == 0 {
			said, shared = m.sub("claim"), false
		}
		out.Claims = append(out.Claims, graph.Claim{
			Key: m.text("key"), Chunk: out.Chunk.Key, Shared: shared, Subject: m.text("subject"), Object: m.text("object"),
			Absent: said.flag("absent"), NTokens: said.int("n_tokens"),
			ClaimRecord: graph.ClaimRecord{
				Subject: said.text("subject"), Object: said.text("object"), Type: said.text("type"), Status: said.text("status"),
				StartDate: said.text("start_date"), EndDate: said.text("end_date"), Description: said.text("description"), SourceText: said.text("source_text"),
			},
		})
	}
	return out
}
