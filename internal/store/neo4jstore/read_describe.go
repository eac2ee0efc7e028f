package neo4jstore

import (
	"context"

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
	pages := mentionPages[EntityDescribe, []string]{
		kind: graph.KindEntity, stage: "describe", statement: readPendingDescribeEntities,
		mention: (*decoder).readDescriptions, mentions: func(e *EntityDescribe) *[][]string { return &e.Mentions },
	}
	return pages.read(ctx, s, corpus, after, mentions)
}

// PendingDescribeRelationships reads marked relationships after the given key, in key
// order, until they have that many mentions.
func (s *Store) PendingDescribeRelationships(ctx context.Context, corpus, after string, mentions int) ([]RelationshipDescribe, error) {
	pages := mentionPages[RelationshipDescribe, []string]{
		kind: graph.KindRelationship, stage: "describe", statement: readPendingDescribeRelationships,
		mention: (*decoder).readDescriptions, mentions: func(r *RelationshipDescribe) *[][]string { return &r.Mentions },
	}
	return pages.read(ctx, s, corpus, after, mentions)
}

// readDescriptions reads the descriptions of a mention.
func (d *decoder) readDescriptions(m values, to *[]string) {
	*to = d.texts(m["descriptions"], "mention.descriptions", true)
}
