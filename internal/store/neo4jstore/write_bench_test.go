package neo4jstore_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// Sizes of the benchmark graph: entities, chunks, and the number of entities and
// relationships that a chunk mentions.
const (
	benchEntities      = 20_000
	benchChunks        = 4_000
	benchEntityRows    = 12
	benchRelationships = 6
)

// BenchmarkWrites runs all stages on a synthetic corpus once and reports the writes per
// second. Run it alone, with -benchtime 1x.
func BenchmarkWrites(b *testing.B) {
	s := open(b, nil)
	for range b.N {
		corpus := newCorpus(b, s, 384)
		withWriter(b, s, corpus, func(ctx context.Context, writer *neo4jstore.Writer) error {
			return benchWrites(ctx, b, s, writer, corpus)
		})
	}
}

func benchWrites(ctx context.Context, b *testing.B, s *neo4jstore.Store, writer *neo4jstore.Writer, corpus string) error {
	random := rand.New(rand.NewPCG(1, 2))
	p := pipeline{store: s, writer: writer, corpus: corpus, page: 20_000}
	measure := func(name string, rows int, fn func() error) error {
		start := time.Now()
		if err := fn(); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		b.ReportMetric(float64(rows)/time.Since(start).Seconds(), name+"/s")
		return nil
	}
	var documents []neo4jstore.DocumentWrite
	var extractions []neo4jstore.ExtractionWrite
	relationships := map[string]bool{}
	for d := range benchChunks / 4 {
		w := p.documentWrite(fmt.Sprint("d", d), []string{"a", "b", "c", "d"})
		for i := range w.Chunks {
			w.Chunks[i].Text = fmt.Sprintf("%2000d", i)
			extractions = append(extractions, benchExtraction(random, corpus, w.Chunks[i].Key, relationships))
		}
		documents = append(documents, w)
	}
	vectors := func(kind graph.Kind, page int) func() error {
		return func() error {
			return paged(func(after string) ([]neo4jstore.EmbedItem, error) {
				return s.PendingEmbed(ctx, corpus, kind, after, page)
			}, func(e neo4jstore.EmbedItem) string { return e.Key }, func(items []neo4jstore.EmbedItem) error {
				var rows []neo4jstore.Embedded
				for _, item := range items {
					v := make([]float32, 384)
					for i := range v {
						v[i] = random.Float32() - 0.5
					}
					rows = append(rows, neo4jstore.Embedded{Key: item.Key, EmbedFP: "fp", Vector: v})
				}
				return writer.WriteEmbeddings(ctx, kind, 384, rows)
			})
		}
	}
	var adjacency neo4jstore.Adjacency
	for _, step := range []struct {
		name string
		rows int
		fn   func() error
	}{
		{"chunks", benchChunks, func() error { return writer.WriteDocuments(ctx, documents) }},
		{"mentions", benchChunks * (benchEntityRows + benchRelationships), func() error { return writer.WriteExtractions(ctx, extractions) }},
		{"relationships", len(relationships), func() error { return p.relationships(ctx) }},
		{"entities", benchEntities, func() error { return p.entities(ctx) }},
		{"described", benchEntities + len(relationships), func() error {
			if err := p.describeEntities(ctx); err != nil {
				return err
			}
			return p.describeRelationships(ctx)
		}},
		{"vectors", benchChunks, vectors(graph.KindChunk, 2000)},
		{"edges", len(relationships), func() (err error) { adjacency, err = s.Adjacency(ctx, corpus, "count"); return err }},
		{"members", 2 * benchEntities, func() error {
			_, err := writer.OpenGeneration(ctx, adjacency.Entities, benchHierarchy(corpus, adjacency.Keys))
			return err
		}},
		{"labels", benchEntities, func() error {
			var rows []neo4jstore.EntityLabels
			for i, key := range adjacency.Keys {
				rows = append(rows, neo4jstore.EntityLabels{Key: key, Labels: []string{"C0_0", fmt.Sprint("C1_", i/500)}, Communities: []int64{0, int64(i / 500)}, Community: "C0_0"})
			}
			return writer.WriteLabels(ctx, rows)
		}},
	} {
		if err := measure(step.name, step.rows, step.fn); err != nil {
			return err
		}
	}
	return nil
}

func benchExtraction(random *rand.Rand, corpus, chunk string, relationships map[string]bool) neo4jstore.ExtractionWrite {
	x := neo4jstore.ExtractionWrite{Chunk: chunk, FP: "fp", Sum: "sum"}
	first := random.IntN(benchEntities)
	key := func(i int) string {
		return graph.EntityKey(corpus, fmt.Sprintf("entity %06d", (first+i*i*37)%benchEntities))
	}
	for i := range benchEntityRows {
		name := graph.Local(key(i))
		x.Entities = append(x.Entities, neo4jstore.EntityMention{
			Entity: key(i), Name: name, Names: []string{name}, Types: []string{"person"},
			Descriptions: []string{"A description of about the usual length of " + name},
		})
	}
	for i := range benchRelationships {
		a, b := key(i), key(i+1)
		r := graph.RelationshipKey(corpus, a, b)
		relationships[r] = true
		x.Relationships = append(x.Relationships, neo4jstore.RelationshipMention{
			Relationship: r, Source: min(a, b), Target: max(a, b),
			Descriptions: []string{"How the two go together, in one sentence."}, Keywords: []string{"together"}, Strength: 500, Count: 1,
		})
	}
	return x
}

// benchHierarchy returns one root with leaves of 500 members.
func benchHierarchy(corpus string, keys []string) []graph.Community {
	root := graph.Community{Key: graph.CommunityKey(corpus, 0, keys), Label: "C0_0", Members: keys}
	all := []graph.Community{root}
	for i := 0; i < len(keys); i += 500 {
		members := keys[i:min(i+500, len(keys))]
		all = append(all, graph.Community{
			Key: graph.CommunityKey(corpus, 1, members), Level: 1, Ordinal: i / 500, Parent: root.Key,
			Label: graph.CommunityLabel("C", 1, i/500), Members: members, Final: true,
		})
	}
	return all
}
