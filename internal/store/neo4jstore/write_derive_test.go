package neo4jstore_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// extracted returns a corpus of one document, extracted but not derived.
func extracted(t *testing.T, texts ...string) (*neo4jstore.Store, string) {
	t.Helper()
	s := open(t, nil)
	corpus := newCorpus(t, s, dimension)
	withWriter(t, s, corpus, func(ctx context.Context, writer *neo4jstore.Writer) error {
		p := pipeline{store: s, writer: writer, corpus: corpus, page: 100}
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
		withWriter(t, s, corpus, func(ctx context.Context, writer *neo4jstore.Writer) error {
			return writer.WriteRelationships(ctx, []neo4jstore.RelationshipDerived{r}, gone, neo4jstore.DeriveOptions{})
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
		return s.WithWriter(t.Context(), corpus, "x", 0, func(ctx context.Context, writer *neo4jstore.Writer) error {
			return writer.WriteEntities(ctx, []neo4jstore.EntityDerived{e}, gone, neo4jstore.DeriveOptions{})
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
		t.Errorf("labels %v of a type without a label", got["labels"])
	}
	for _, label := range []string{"Chunk", "person", "A B", "A`"} {
		if err := write(neo4jstore.EntityDerived{Key: ann, TypeLabel: label}); err == nil {
			t.Errorf("label %q was accepted", label)
		}
	}
	if err := write(neo4jstore.EntityDerived{Key: graph.Key(corpus, "nobody")}); !errors.Is(err, neo4jstore.ErrMissingEnd) {
		t.Errorf("a missing entity: %v, want ErrMissingEnd", err)
	}
	// Bob is mentioned, so he was not deleted above.
	if n := number(t, "MATCH (e:Entity {key: $key}) RETURN count(e)", map[string]any{"key": bob}); n != 1 {
		t.Error("an entity with mentions was deleted")
	}
}
