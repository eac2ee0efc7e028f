package neo4jstore

import (
	"context"

	"github.com/neorag/neorag/cypher"
	"github.com/neorag/neorag/internal/graph"
)

// RelationshipMentionProps are the properties of a mention of a relationship in a chunk.
type RelationshipMentionProps struct {
	Descriptions []string
	Keywords     []string
	Strength     int
	Count        int
	Forward      int
}

// RelationshipEvidence holds the mentions that the values of a relationship are derived from.
type RelationshipEvidence struct {
	Key      string
	Source   string
	Target   string
	DeriveFP string
	Mentions []RelationshipMentionProps
}

// EntityMentionProps are the properties of a mention of an entity in a chunk.
type EntityMentionProps struct {
	Names        []string
	Types        []string
	Descriptions []string
	Absent       bool // no spelling of the name is in the chunk
}

// EntityEvidence holds the mentions that the values of an entity are derived from.
type EntityEvidence struct {
	Key      string
	DeriveFP string
	Name     string
	Type     string
	Degree   int
	Mentions []EntityMentionProps
}

// PendingDeriveRelationships reads marked relationships after the given key, in key
// order, until they have that many mentions.
func (s *Store) PendingDeriveRelationships(ctx context.Context, corpus, after string, mentions int) ([]RelationshipEvidence, error) {
	pages := mentionPages[RelationshipEvidence]{
		kind: graph.KindRelationship, stage: "derive", statement: cypher.ReadPendingDeriveRelationships,
		item: func(v values) RelationshipEvidence {
			return RelationshipEvidence{Key: v.text("key"), Source: v.text("source"), Target: v.text("target"), DeriveFP: v.text("derive_fp")}
		},
		add: func(r *RelationshipEvidence, m values) {
			r.Mentions = append(r.Mentions, RelationshipMentionProps{
				Descriptions: m.texts("descriptions"), Keywords: m.texts("keywords"),
				Strength: m.int("strength"), Count: m.int("count"), Forward: m.int("forward"),
			})
		},
	}
	return pages.read(ctx, s, corpus, after, mentions)
}

// PendingDeriveEntities reads marked entities after the given key, in key order, until
// they have that many mentions.
func (s *Store) PendingDeriveEntities(ctx context.Context, corpus, after string, mentions int) ([]EntityEvidence, error) {
	pages := mentionPages[EntityEvidence]{
		kind: graph.KindEntity, stage: "derive", statement: cypher.ReadPendingDeriveEntities,
		item: func(v values) EntityEvidence {
			return EntityEvidence{Key: v.text("key"), DeriveFP: v.text("derive_fp"), Name: v.text("name"), Type: v.text("type"), Degree: v.int("degree")}
		},
		add: func(e *EntityEvidence, m values) {
			e.Mentions = append(e.Mentions, EntityMentionProps{Names: m.texts("names"), Types: m.texts("types"), Descriptions: m.texts("descriptions"), Absent: m.flag("absent")})
		},
	}
	return pages.read(ctx, s, corpus, after, mentions)
}
