package neo4jstore_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/neo4jstore"
)

// extracted is a corpus of one document, extracted but not derived.
func extracted(t *testing.T, texts ...string) (*neo4jstore.Store, string) {
	t.Helper()
	s := open(t, nil)
	corpus := newCorpus(t, s, dimension)
	inLane(t, s, corpus, func(ctx context.Context, l *neo4jstore.Writer) error {
		p := pipeline{store: s, lane: l, corpus: corpus, page: 100}
		if err := p.documents(ctx, world{"a": texts}); err != nil {
			return err
		}
		return p.extract(ctx)
	})
	return s, corpus
}

func TestDeriveReadsAndWrites(t *testing.T) {
	t.Parallel()
	s, corpus := extracted(t, "Ann Bob. Bob Ann", "ann Bob. Cid")
	ann, bob, cid := graph.EntityKey(corpus, "ann"), graph.EntityKey(corpus, "bob"), graph.EntityKey(corpus, "cid")
	key := graph.RelationshipKey(corpus, ann, bob)
	unordered := cmpopts.SortSlices(func(a, b any) bool { return fmt.Sprint(a) < fmt.Sprint(b) })

	relationships, err := s.PendingDeriveRelationships(t.Context(), corpus, "", 100)
	if err != nil {
		t.Fatal(err)
	}
	wantR := []neo4jstore.RelationshipEvidence{{Key: key, Source: ann, Target: bob, Mentions: []neo4jstore.RelationshipMentionProps{
		{Descriptions: []string{"Ann meets Bob", "Bob meets Ann"}, Keywords: []string{"Ann", "Bob"}, Strength: 200, Count: 2, Forward: 1},
		{Descriptions: []string{"ann meets Bob"}, Keywords: []string{"ann"}, Strength: 100, Count: 1, Forward: 1},
	}}}
	if diff := cmp.Diff(wantR, relationships, unordered); diff != "" {
		t.Errorf("relationships (-want +got):\n%s", diff)
	}
	topology := func() int64 {
		c, err := s.Corpus(t.Context(), corpus)
		if err != nil {
			t.Fatal(err)
		}
		return c.Topology
	}
	write := func(r neo4jstore.RelationshipDerived, gone ...string) {
		t.Helper()
		inLane(t, s, corpus, func(ctx context.Context, l *neo4jstore.Writer) error {
			return l.WriteRelationships(ctx, []neo4jstore.RelationshipDerived{r}, gone)
		})
	}
	write(neo4jstore.RelationshipDerived{Key: key, DeriveFP: "1", Weight: 3, Strength: 300, Keywords: []string{"ann"}})
	if got := topology(); got != 1 {
		t.Errorf("topology %d after the first edge, want 1", got)
	}
	write(neo4jstore.RelationshipDerived{Key: key, DeriveFP: "2", Weight: 3, Strength: 400})
	if got := topology(); got != 1 {
		t.Errorf("topology %d after another strength, want 1", got)
	}
	write(neo4jstore.RelationshipDerived{Key: key, DeriveFP: "3", Weight: 4, Strength: 400}, key) // it is mentioned: not gone
	if got := topology(); got != 2 {
		t.Errorf("topology %d after another weight, want 2", got)
	}
	edge := query(t, "MATCH (a)-[e:RELATED]->(b) WHERE e.key = $key RETURN a.key AS a, b.key AS b, e.weight AS weight", map[string]any{"key": key})
	if diff := cmp.Diff([]map[string]any{{"a": ann, "b": bob, "weight": int64(4)}}, edge); diff != "" {
		t.Errorf("edge (-want +got):\n%s", diff)
	}

	entities, err := s.PendingDeriveEntities(t.Context(), corpus, ann, 2) // bob has two mentions: the page is full
	if err != nil {
		t.Fatal(err)
	}
	wantE := []neo4jstore.EntityEvidence{{Key: bob, Name: "Bob", Degree: 1, Mentions: []neo4jstore.EntityMentionProps{
		{Names: []string{"Bob", "Bob"}, Types: []string{"thing", "thing"}, Descriptions: []string{"is Bob", "is Bob"}},
		{Names: []string{"Bob"}, Types: []string{"thing"}, Descriptions: []string{"is Bob"}},
	}}}
	if diff := cmp.Diff(wantE, entities, unordered); diff != "" {
		t.Errorf("entities after Ann, two mentions (-want +got):\n%s", diff)
	}
	if entities, err = s.PendingDeriveEntities(t.Context(), corpus, bob, 1); err != nil || len(entities) != 1 || entities[0].Key != cid {
		t.Errorf("entities after Bob: %v, %v", entities, err)
	}
}

func TestWriteEntities(t *testing.T) {
	t.Parallel()
	s, corpus := extracted(t, "Ann Bob")
	ann, bob := graph.EntityKey(corpus, "ann"), graph.EntityKey(corpus, "bob")
	write := func(e neo4jstore.EntityDerived, gone ...string) error {
		return s.WithWriter(t.Context(), corpus, "x", 0, func(ctx context.Context, l *neo4jstore.Writer) error {
			return l.WriteEntities(ctx, []neo4jstore.EntityDerived{e}, gone)
		})
	}
	see := func() map[string]any {
		return query(t, `MATCH (e:Entity {key: $key}) RETURN e.name AS name, e.type AS type, e.degree AS degree, e.frequency AS frequency,
			[l IN labels(e) WHERE l IN ['Person', 'Place']] AS labels, e.todo_derive AS derive, e.todo_describe AS describe,
			COUNT { (e)--(:Relationship {todo_describe: $corpus}) } AS relationships`, map[string]any{"key": ann, "corpus": corpus})[0]
	}
	if err := write(neo4jstore.EntityDerived{Key: ann, DeriveFP: "1", Name: "Ann", Type: "person", TypeLabel: "Person", Degree: 1, Frequency: 2}, bob); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{
		"name": "Ann", "type": "person", "degree": int64(1), "frequency": int64(2), "labels": []any{"Person"},
		"derive": nil, "describe": corpus, "relationships": int64(0),
	}
	if diff := cmp.Diff(want, see()); diff != "" {
		t.Errorf("entity (-want +got):\n%s", diff)
	}
	if err := write(neo4jstore.EntityDerived{Key: ann, DeriveFP: "2", Name: "Anna", Type: "place", TypeLabel: "Place", Degree: 1, Frequency: 2}); err != nil {
		t.Fatal(err)
	}
	want["name"], want["type"], want["labels"], want["relationships"] = "Anna", "place", []any{"Place"}, int64(1)
	if diff := cmp.Diff(want, see()); diff != "" {
		t.Errorf("entity under another name and type (-want +got):\n%s", diff)
	}
	if err := write(neo4jstore.EntityDerived{Key: ann, DeriveFP: "3", Name: "Anna", Type: "idea"}); err != nil {
		t.Fatal(err)
	}
	if got := see(); len(got["labels"].([]any)) != 0 {
		t.Errorf("labels %v of a type without label", got["labels"])
	}
	for _, label := range []string{"Chunk", "person", "A B", "A`"} {
		if err := write(neo4jstore.EntityDerived{Key: ann, TypeLabel: label}); err == nil {
			t.Errorf("label %q was taken", label)
		}
	}
	if err := write(neo4jstore.EntityDerived{Key: graph.Key(corpus, "nobody")}); !errors.Is(err, neo4jstore.ErrMissingEnd) {
		t.Errorf("an entity that is not there: %v, want ErrMissingEnd", err)
	}
	// Bob is mentioned, so he was not deleted above.
	if n := number(t, "MATCH (e:Entity {key: $key}) RETURN count(e)", map[string]any{"key": bob}); n != 1 {
		t.Error("an entity with mentions was deleted")
	}
}

func TestWriteDescriptions(t *testing.T) {
	t.Parallel()
	s, corpus := extracted(t, "Ann Bob")
	ann, bob := graph.EntityKey(corpus, "ann"), graph.EntityKey(corpus, "bob")
	key := graph.RelationshipKey(corpus, ann, bob)
	long := strings.Repeat("word ", 40)
	inLane(t, s, corpus, func(ctx context.Context, l *neo4jstore.Writer) error {
		p := pipeline{store: s, lane: l, corpus: corpus, page: 100}
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
			l.WriteDescriptions(ctx, graph.KindRelationship, []neo4jstore.Described{{Key: key, DescribeFP: "fp", Description: long, Terms: "word", NTokens: 40}}),
			l.WriteDescriptions(ctx, graph.KindEntity, []neo4jstore.Described{{Key: ann, DescribeFP: "fp", Description: "text", Terms: "t"}, {Key: bob, Unchanged: true}}),
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
			want = []neo4jstore.EmbedItem{{Key: key, Text: "Ann — Bob: " + long}}
		}
		if diff := cmp.Diff(want, items); err != nil || diff != "" {
			t.Errorf("to embed: %v (-want +got):\n%s", err, diff)
		}
	}
	if pending, err := s.Pending(t.Context(), corpus); err != nil || pending["describe"] != 0 {
		t.Errorf("pending %v, %v", pending, err)
	}
}

func TestWriteEmbeddingsChecks(t *testing.T) {
	t.Parallel()
	s, corpus := extracted(t, "Ann")
	ann := graph.EntityKey(corpus, "ann")
	write := func(v ...float32) error {
		return s.WithWriter(t.Context(), corpus, "x", 0, func(ctx context.Context, l *neo4jstore.Writer) error {
			return l.WriteEmbeddings(ctx, graph.KindEntity, dimension, []neo4jstore.Embedded{{Key: ann, EmbedFP: "fp", Vector: v}})
		})
	}
	if err := write(1, 2, 3); !errors.Is(err, neo4jstore.ErrDimension) {
		t.Errorf("three numbers of four: %v, want ErrDimension", err)
	}
	for _, x := range []float32{0, float32(math.NaN()), float32(math.Inf(1))} {
		if err := write(0, 0, 0, x); err == nil {
			t.Errorf("a vector with length %v was written", x)
		}
	}
	if err := write(0, 0, 3, 4); err != nil {
		t.Fatal(err)
	}
	hits, err := s.SearchVector(t.Context(), corpus, graph.KindEntity, []float32{0, 0, 3, 4}, 1)
	if err != nil || len(hits) != 1 || hits[0].Key != ann || math.Abs(hits[0].Score-1) > 1e-3 {
		t.Errorf("found %v, %v", hits, err)
	}
	if err := write(); err != nil { // a text with nothing to embed
		t.Fatal(err)
	}
	if n := number(t, "MATCH (e:Entity {key: $key}) WHERE e.embedding IS NULL AND e.embed_fp = 'fp' RETURN count(e)", map[string]any{"key": ann}); n != 1 {
		t.Error("an empty vector takes the old one away and notes the fingerprint")
	}
}
