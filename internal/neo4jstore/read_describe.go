package neo4jstore

import (
	"context"

	"github.com/neorag/neorag/cypher"
)

// An EntityDescribe is what an entity's description is made of.
type EntityDescribe struct {
	Key        string
	Name       string
	Type       string
	DescribeFP string
	Mentions   [][]string // descriptions of each mention
}

// A RelationshipDescribe is what a relationship's description is made of.
type RelationshipDescribe struct {
	Key        string
	Source     string
	Target     string
	SourceName string
	TargetName string
	DescribeFP string
	Keywords   []string
	Mentions   [][]string // descriptions of each mention
}

// PendingDescribeEntities reads marked entities after the key given, in key
// order, until their mentions reach the budget.
func (s *Store) PendingDescribeEntities(ctx context.Context, corpus, after string, mentions int) ([]EntityDescribe, error) {
	return pageByMentions(ctx, s, cypher.ReadPendingDescribeEntities, corpus, after, mentions, func(v values) (EntityDescribe, int) {
		e := EntityDescribe{
			Key: v.text("key"), Name: v.text("name"), Type: v.text("type"), DescribeFP: v.text("describe_fp"), Mentions: v.lists("mentions"),
		}
		return e, len(e.Mentions)
	})
}

// PendingDescribeRelationships reads marked relationships after the key given,
// in key order, until their mentions reach the budget.
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
