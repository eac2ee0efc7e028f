package neo4jstore

import (
	"context"
	"fmt"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

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
	return pageByMentions(ctx, s, cypher.ReadPendingDeriveRelationships, corpus, after, mentions, func(v values) (RelationshipEvidence, int) {
		r := RelationshipEvidence{Key: v.text("key"), Source: v.text("source"), Target: v.text("target"), DeriveFP: v.text("derive_fp")}
		for _, m := range v.maps("mentions") {
			r.Mentions = append(r.Mentions, RelationshipMentionProps{
				Descriptions: m.texts("descriptions"), Keywords: m.texts("keywords"),
				Strength: m.int("strength"), Count: m.int("count"), Forward: m.int("forward"),
			})
		}
		return r, len(r.Mentions)
	})
}

// PendingDeriveEntities reads marked entities after the given key, in key order, until
// they have that many mentions.
func (s *Store) PendingDeriveEntities(ctx context.Context, corpus, after string, mentions int) ([]EntityEvidence, error) {
	return pageByMentions(ctx, s, cypher.ReadPendingDeriveEntities, corpus, after, mentions, func(v values) (EntityEvidence, int) {
		e := EntityEvidence{Key: v.text("key"), DeriveFP: v.text("derive_fp"), Name: v.text("name"), Type: v.text("type"), Degree: v.int("degree")}
		for _, m := range v.maps("mentions") {
			e.Mentions = append(e.Mentions, EntityMentionProps{Names: m.texts("names"), Types: m.texts("types"), Descriptions: m.texts("descriptions")})
		}
		return e, len(e.Mentions)
	})
}

// pageByMentions reads rows until they have that many mentions, and at least one row,
// which may have more. item returns an item and the number of its mentions.
func pageByMentions[T any](ctx context.Context, s *Store, st cypher.Statement, corpus, after string, mentions int, item func(values) (T, int)) ([]T, error) {
	params := map[string]any{"after": max(after, graph.Key(corpus, "")), "limit": max(mentions, 1)}
	var items []T
	err := s.readOne(ctx, func(tx *transaction) error {
		items = nil
		sum := 0
		return tx.each(ctx, st, corpus, params, func(r *neo4j.Record) error {
			it, n := item(r.AsMap())
			if sum += max(n, 1); sum > mentions && len(items) > 0 {
				return errStop
			}
			items = append(items, it)
			return nil
		})
	})
	if err != nil {
		return nil, fmt.Errorf("read pending work of corpus %s: %w", corpus, err)
	}
	return items, nil
}
