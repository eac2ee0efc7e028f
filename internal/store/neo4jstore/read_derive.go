package neo4jstore

import (
	"context"

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
	pages := mentionPages[RelationshipEvidence, RelationshipMentionProps]{
		kind: graph.KindRelationship, stage: "derive", statement: readPendingDeriveRelationships,
		mention: (*decoder).readRelationshipMention, mentions: func(r *RelationshipEvidence) *[]RelationshipMentionProps { return &r.Mentions },
	}
	return pages.read(ctx, s, corpus, after, mentions)
}

// PendingDeriveEntities reads marked entities after the given key, in key order, until
// they have that many mentions.
func (s *Store) PendingDeriveEntities(ctx context.Context, corpus, after string, mentions int) ([]EntityEvidence, error) {
	pages := mentionPages[EntityEvidence, EntityMentionProps]{
		kind: graph.KindEntity, stage: "derive", statement: readPendingDeriveEntities,
		mention: (*decoder).readEntityMention, mentions: func(e *EntityEvidence) *[]EntityMentionProps { return &e.Mentions },
	}
	return pages.read(ctx, s, corpus, after, mentions)
}
