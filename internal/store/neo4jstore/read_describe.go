package neo4jstore

import (
	"context"

	"github.com/neorag/neorag/cypher"
	"github.com/neorag/neorag/internal/graph"
)

// An EntityDescribe holds the input of the description of an entity.
type EntityDescribe struct {
	Key        string
	Name       string
	Type       string
	DescribeFP string
	Aliases    []string
	Mentions   [][]string // the descriptions of each mention
}

// A RelationshipDescribe holds the input of the description of a relationship.
type RelationshipDescribe struct {
	Key        string
	Source     string
	Target     string
	SourceName string
	TargetName string
	DescribeFP string
	Keywords   []string
	Mentions   [][]string // the descriptions of each mention
}

// PendingDescribeEntities reads marked entities after the given key, in key order, until
// they have that many mentions.
func (s *Store) PendingDescribeEntities(ctx context.Context, corpus, after string, mentions int) ([]EntityDescribe, error) {
	pages := mentionPages[EntityDescribe]{
		kind: graph.KindEntity, stage: "describe", statement: cypher.ReadPendingDescribeEntities,
		item: func(v values) EntityDescribe {
			return EntityDescribe{Key: v.text("key"), Name: v.text("name"), Type: v.text("type"), DescribeFP: v.text("describe_fp"), Aliases: v.texts("aliases")}
		},
		add: func(e *EntityDescribe, m values) { e.Mentions = append(e.Mentions, m.texts("descriptions")) },
	}
	return pages.read(ctx, s, corpus, after, mentions)
}

// PendingDescribeRelationships reads marked relationships after the given key, in key
// order, until they have that many mentions.
func (s *Store) PendingDescribeRelationships(ctx context.Context, corpus, after string, mentions int) ([]RelationshipDescribe, error) {
	pages := mentionPages[RelationshipDescribe]{
		kind: graph.KindRelationship, stage: "describe", statement: cypher.ReadPendingDescribeRelationships,
		item: func(v values) RelationshipDescribe {
			source, target := v.sub("source"), v.sub("target")
			return RelationshipDescribe{
				Key: v.text("key"), Source: source.text("key"), SourceName: source.text("name"), Target: target.text("key"),
				TargetName: target.text("name"), DescribeFP: v.text("describe_fp"), Keywords: v.texts("keywords"),
			}
		},
		add: func(r *RelationshipDescribe, m values) { r.Mentions = append(r.Mentions, m.texts("descriptions")) },
	}
	return pages.read(ctx, s, corpus, after, mentions)
}
