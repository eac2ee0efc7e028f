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

func TestWriteExtractions(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	corpus := newCorpus(t, s, 0)
	p := pipeline{store: s, corpus: corpus}
	d := p.documentWrite("a", []string{"Ann Bob. ANN Bob. !Ann Bob", "Bob Cid"})
	chunk, other := d.Chunks[0].Key, d.Chunks[1].Key
	params := map[string]any{"chunk": chunk}
	write := func(fn func(context.Context, *neo4jstore.Writer) error) { t.Helper(); withWriter(t, s, corpus, fn) }
	write(func(ctx context.Context, writer *neo4jstore.Writer) error {
		if err := writer.WriteDocuments(ctx, []neo4jstore.DocumentWrite{d}); err != nil {
			return err
		}
		x := p.extraction(neo4jstore.ChunkState{Chunk: d.Chunks[0]})
		y := p.extraction(neo4jstore.ChunkState{Chunk: d.Chunks[1]})
		if err := writer.FailStage(ctx, graph.KindChunk, "extract", map[string]string{chunk: strings.Repeat("long ", 200), other: "short"}); err != nil {
			return err
		}
		return writer.WriteExtractions(ctx, []neo4jstore.ExtractionWrite{y, x})
	})
	got := query(t, `MATCH (c:Chunk {key: $chunk}) RETURN c.extract_sum IS NOT NULL AS sum, c.todo_extract IS NULL AS done, c.extract_error AS error,
		COLLECT { MATCH (c)-[m:MENTIONS]->(e:Entity) WITH m, e ORDER BY e.name RETURN e.name + ': ' + reduce(s = '', n IN m.names | s + n + ' ') } AS entities,
		COLLECT { MATCH (c)-[m:MENTIONS]->(r:Relationship)-[:SOURCE]->(e) RETURN [r.name, e.name, m.count, m.forward, m.strength, m.keywords] } AS relationships,
		COLLECT { MATCH (c)-[:STATES]->(k:Claim)-[:OBJECT]->(o) RETURN [k.subject, k.object, o.name, k.status, k.terms] } AS claims`, params)[0]
	want := map[string]any{
		"sum": true, "done": true, "error": nil,
		"entities":      []any{"Ann: Ann ANN Ann ", "Bob: Bob Bob Bob "},
		"relationships": []any{[]any{"Ann — Bob", "Ann", int64(2), int64(2), int64(200), []any{"Ann", "ANN"}}},
		"claims":        []any{[]any{"Ann", "Bob", "Bob", "TRUE", "Ann Bob"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("extraction (-want +got):\n%s", diff)
	}
	if pending, err := s.Pending(t.Context(), corpus); err != nil || pending["derive"] != 5 || pending["extract"] != 0 {
		t.Errorf("pending %v, %v: want 3 entities and 2 relationships", pending, err)
	}
	// The same claim stays the same node, now without an object; the others are deleted.
	before := query(t, "MATCH (:Chunk {key: $chunk})-[:STATES]->(k) RETURN elementId(k) AS id", params)
	write(func(ctx context.Context, writer *neo4jstore.Writer) error {
		x := p.extraction(neo4jstore.ChunkState{Chunk: d.Chunks[0]})
		x.Relationships, x.Entities = nil, x.Entities[:1]
		x.Claims[0].Object = ""
		return writer.WriteExtractions(ctx, []neo4jstore.ExtractionWrite{x})
	})
	if after := query(t, "MATCH (:Chunk {key: $chunk})-[:STATES]->(k) WHERE NOT EXISTS { (k)-[:OBJECT]->() } RETURN elementId(k) AS id", params); cmp.Diff(before, after) != "" {
		t.Errorf("claims before %v, after %v", before, after)
	}
	if n := number(t, "MATCH (:Chunk {key: $chunk})-[m:MENTIONS]->() RETURN count(m)", params); n != 1 {
		t.Errorf("%d mentions, want 1", n)
	}
	write(func(ctx context.Context, writer *neo4jstore.Writer) error {
		return writer.WriteExtractions(ctx, []neo4jstore.ExtractionWrite{{Chunk: chunk, FP: "new", Unchanged: true}})
	})
	if n := number(t, "MATCH (c:Chunk {key: $chunk})-[m:MENTIONS|STATES]->() WHERE c.extract_fp = 'new' AND c.extract_sum IS NOT NULL RETURN count(m)", params); n != 2 {
		t.Errorf("an unchanged extraction left %d mentions and claims, want 2", n)
	}
}

func TestWriteExtractionsRefuses(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	corpus := newCorpus(t, s, 0)
	p := pipeline{store: s, corpus: corpus}
	d := p.documentWrite("a", []string{"Ann Bob"})
	withWriter(t, s, corpus, func(ctx context.Context, writer *neo4jstore.Writer) error {
		return writer.WriteDocuments(ctx, []neo4jstore.DocumentWrite{d})
	})
	for name, change := range map[string]func(*neo4jstore.ExtractionWrite){
		"a chunk that is not there":       func(x *neo4jstore.ExtractionWrite) { x.Chunk = graph.Key(corpus, "x") },
		"an end that no chunk mentions":   func(x *neo4jstore.ExtractionWrite) { x.Entities = x.Entities[:1] },
		"an entity that comes twice":      func(x *neo4jstore.ExtractionWrite) { x.Entities = append(x.Entities, x.Entities[0]) },
		"a relationship that comes twice": func(x *neo4jstore.ExtractionWrite) { x.Relationships = append(x.Relationships, x.Relationships[0]) },
		"a claim about an unmentioned entity": func(x *neo4jstore.ExtractionWrite) {
			x.Claims = []neo4jstore.ClaimWrite{{Claim: graph.Claim{Key: corpus + "/k", Subject: corpus + "/nobody"}}}
		},
	} {
		x := p.extraction(neo4jstore.ChunkState{Chunk: d.Chunks[0]})
		change(&x)
		err := s.WithWriter(t.Context(), corpus, "x", 0, func(ctx context.Context, writer *neo4jstore.Writer) error {
			return writer.WriteExtractions(ctx, []neo4jstore.ExtractionWrite{x})
		})
		if err == nil || !strings.Contains(name, "twice") && !errors.Is(err, neo4jstore.ErrMissingEnd) {
			t.Errorf("%s: %v", name, err)
		}
	}
	// The failed transactions left nothing behind.
	if n := number(t, "MATCH (e:Entity {corpus: $c}) RETURN count(e)", map[string]any{"c": corpus}); n != 0 {
		t.Errorf("%d entities were left behind", n)
	}
}

func TestFailStageKeepsTheMark(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	corpus := newCorpus(t, s, 0)
	p := pipeline{store: s, corpus: corpus}
	d := p.documentWrite("a", []string{"Ann Bob"})
	key := d.Chunks[0].Key
	withWriter(t, s, corpus, func(ctx context.Context, writer *neo4jstore.Writer) error {
		if err := writer.WriteDocuments(ctx, []neo4jstore.DocumentWrite{d}); err != nil {
			return err
		}
		fail := func(reason string) int64 {
			before := writer.Counters().Total()
			if err := writer.FailStage(ctx, graph.KindChunk, "extract", map[string]string{key: reason}); err != nil {
				t.Fatal(err)
			}
			return writer.Counters().Total() - before
		}
		if fail(strings.Repeat("é", 600)) == 0 || fail(strings.Repeat("é", 600)) != 0 {
			t.Error("a reason must be written once")
		}
		if err := writer.FailStage(ctx, graph.KindChunk, "describe", map[string]string{key: "x"}); err == nil {
			t.Error("stage describe of chunks was accepted")
		}
		return nil
	})
	failed, err := s.Failed(t.Context(), corpus, 10)
	if err != nil || len(failed) != 1 || failed[0].Key != key || len([]rune(failed[0].Reason)) != 500 {
		t.Errorf("failed %+v, %v", failed, err)
	}
}
