package neo4jstore

import (
	"context"

	"github.com/neorag/neorag/cypher"
)

// An EntityDescribe holds the input of the description of an entity.
type EntityDescribe struct {
	Key        string
	Name       string
	Type       string
	DescribeFP string
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
	return pageByMentions(ctx, s, cypher.ReadPendingDescribeEntities, corpus, after, mentions, func(v values) (EntityDescribe, int) {
		e := EntityDescribe{
			Key: v.text("key"), Name: v.text("name"), Type: v.text("type"), DescribeFP: v.text("describe_fp"), Mentions: v.lists("mentions"),
		}
		return e, len(e.Mentions)
	})
}

// PendingDescribeRelationships reads marked relationships after the given key, in key
// order, until they have that many mentions.
func (s *Store) PendingDescribeRelationships(ctx context.Context, corpus, after string, mentions int) ([]RelationshipDescribe, error) {
	return pageByMentions(ctx, s, cypher.ReadPendingDescribeRelationships, corpus, after, mentions, func(v values) (RelationshipDescribe, int) {
		source, target := v.sub("source"), v.sub("target")
		r := RelationshipDescribe{
			Key: v.text("key"), Source: source.text("key"), SourceName: source.text("name"), Target: target.text("key"),
			TargetName: target.text("name"), DescribeFP: v.text("describe_fp"), Keywords: v.texts("keywords"), Mentions: v.lists("mentions"),
		}
		return r, len(r.Mentions)
	})
}
