package neo4jstore_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

func TestWriteDescriptions(t *testing.T) {
	t.Parallel()
	s, corpus := extracted(t, "Ann Bob")
	ann, bob := graph.EntityKey(corpus, "ann"), graph.EntityKey(corpus, "bob")
	key := graph.RelationshipKey(corpus, ann, bob)
	long := strings.Repeat("word ", 40)
	withWriter(t, s, corpus, func(ctx context.Context, writer *neo4jstore.Writer) error {
		p := pipeline{store: s, writer: writer, corpus: corpus, page: 100}
		if err := errors.Join(p.relationships(ctx), p.entities(ctx)); err != nil {
			return err
		}
		relationships, err := s.PendingDescribeRelationships(ctx, corpus, "", 100)
		want := []neo4jstore.RelationshipDescribe{{Key: key, Source: ann, Target: bob, SourceName: "Ann", TargetName: "Bob", Keywords: []string{"Ann"}, Mentions: [][]string{{"Ann meets Bob"}}}}
		if diff := cmp.Diff(want, relationships); err != nil || diff != "" {
			t.Errorf("to describe: %v (-want +got):\n%s", err, diff)
		}
		entities, err := s.PendingDescribeEntities(ctx, corpus, ann, 100)
		if diff := cmp.Diff([]neo4jstore.EntityDescribe{{Key: bob, Name: "Bob", Type: "thing", Mentions: [][]string{{"is Bob"}}}}, entities); err != nil || diff != "" {
			t.Errorf("to describe: %v (-want +got):\n%s", err, diff)
		}
		return errors.Join(
			writer.WriteDescriptions(ctx, graph.KindRelationship, []neo4jstore.Described{{Key: key, DescribeFP: "fp", Description: long, Terms: "word", NTokens: 40}}, neo4jstore.DescribeOptions{}),
			writer.WriteDescriptions(ctx, graph.KindEntity, []neo4jstore.Described{{Key: ann, DescribeFP: "fp", Description: "text", Terms: "t"}, {Key: bob, Unchanged: true}}, neo4jstore.DescribeOptions{}),
		)
	})
	got := query(t, `MATCH (:Entity {key: $ann})-[e:RELATED]->(), (r:Relationship {key: $key})
		RETURN e.description AS short, r.description AS long, r.name AS name, r.terms AS terms`, map[string]any{"ann": ann, "key": key})[0]
	want := map[string]any{"short": strings.TrimSpace(strings.Repeat("word ", 23)) + "…", "long": long, "name": "Ann — Bob", "terms": "word"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("relationship (-want +got):\n%s", diff)
	}
	for _, kind := range []graph.Kind{graph.KindEntity, graph.KindRelationship} {
		items, err := s.PendingEmbed(t.Context(), corpus, kind, "", 10)
		want := []neo4jstore.EmbedItem{{Key: ann, Text: "Ann: text"}}
		if kind == graph.KindRelationship {
			want = []neo4jstore.EmbedItem{{Key: key, Text: "Ann\nAnn\nBob\n" + long}}
		}
		if diff := cmp.Diff(want, items); err != nil || diff != "" {
			t.Errorf("to embed: %v (-want +got):\n%s", err, diff)
		}
	}
	if pending, err := s.Pending(t.Context(), corpus); err != nil || pending["describe"] != 0 {
		t.Errorf("pending %v, %v", pending, err)
	}
}
