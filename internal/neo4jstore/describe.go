package neo4jstore

import (
	"context"
	"fmt"

	"github.com/neorag/neorag/cypher"
	"github.com/neorag/neorag/internal/graph"
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

// Described is a description with its index terms.
type Described struct {
	Key         string
	DescribeFP  string
	Unchanged   bool // only the mark goes
	Description string
	Terms       string
	NTokens     int
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

// lists is a list of lists of texts.
func (v values) lists(name string) [][]string {
	outer, _ := v[name].([]any)
	lists := make([][]string, len(outer))
	for i := range outer {
		lists[i] = values{"": outer[i]}.texts("")
	}
	return lists
}

// edgeRunes is how much of a relationship's description its edge carries.
const edgeRunes = 120

// WriteDescriptions writes the descriptions of entities or relationships. A
// changed one is marked to be embedded, and the reports about it are marked.
func (l *Writer) WriteDescriptions(ctx context.Context, kind graph.Kind, rows []Described) error {
	write, report := cypher.WriteEntityDescriptions, cypher.WriteEntitiesReported
	switch kind {
	case graph.KindEntity:
	case graph.KindRelationship:
		write, report = cypher.WriteRelationshipDescriptions, cypher.WriteRelationshipsReported
	default:
		return fmt.Errorf("write descriptions of corpus %s: a %s has none", l.corpus, kind)
	}
	rows = sortedBy(rows, func(r Described) string { return r.Key })
	weight := func(r Described) int { return len(r.Description) + len(r.Terms) + documentBytes/writeRows }
	return batches(rows, documentBytes, weight, func(part []Described) error {
		var changed, unchanged []any
		for _, r := range part {
			if r.Unchanged {
				unchanged = append(unchanged, map[string]any{"key": r.Key})
				continue
			}
			changed = append(changed, map[string]any{
				"key": r.Key, "short": shorten(oneLine(r.Description), edgeRunes),
				"set": map[string]any{"description": r.Description, "terms": r.Terms, "n_tokens": r.NTokens, "describe_fp": r.DescribeFP},
			})
		}
		return l.write(ctx, "descriptions", func(tx *transaction) error {
			if err := tx.rows(ctx, cypher.WriteUnmarked.For(string(kind), "describe"), l.corpus, unchanged, true); err != nil {
				return err
			}
			if err := tx.rows(ctx, write, l.corpus, changed, true); err != nil {
				return err
			}
			return tx.rows(ctx, report, l.corpus, changed, false)
		})
	})
}
