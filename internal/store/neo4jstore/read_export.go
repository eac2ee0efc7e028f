package neo4jstore

import (
	"context"
	"fmt"
	"iter"
	"maps"

	"github.com/neorag/neorag/cypher"
	"github.com/neorag/neorag/internal/graph"
)

// exportPage is how many nodes an export reads at a time. Pages of reports, chunks and
// mentions, which are larger, are a quarter of it.
const exportPage = 1000

// Entities returns all entities of a corpus in key order. It reads them in pages of
// exportPage and holds one page in memory. The sequence ends with the first error, and
// can be iterated again.
func (s *Store) Entities(ctx context.Context, corpus string) iter.Seq2[graph.Entity, error] {
	return pages(ctx, s, cypher.ReadExportEntities, corpus, exportPage, nil,
		func(v values) string { return v.sub("entity").text("key") },
		func(v values) (graph.Entity, bool) {
			e := v.sub("entity")
			return graph.Entity{
				Key: e.text("key"), Name: e.text("name"), Type: e.text("type"), Description: e.text("description"),
				Degree: e.int("degree"), Frequency: e.int("frequency"), NTokens: e.int("n_tokens"),
			}, true
		})
}

// Relationships returns all relationships of a corpus, like Entities.
func (s *Store) Relationships(ctx context.Context, corpus string) iter.Seq2[graph.Relationship, error] {
	return pages(ctx, s, cypher.ReadExportRelationships, corpus, exportPage, nil,
		func(v values) string { return v.sub("relationship").text("key") },
		func(v values) (graph.Relationship, bool) {
			r := v.sub("relationship")
			return graph.Relationship{
				Key: r.text("key"), Source: v.text("source"), Target: v.text("target"),
				SourceName: v.text("source_name"), TargetName: v.text("target_name"),
				Description: r.text("description"), Keywords: r.texts("keywords"),
				Weight: r.int("weight"), Strength: r.int("strength"), NTokens: r.int("n_tokens"),
			}, v["source"] != nil && v["target"] != nil
		})
}

// Reports returns all reports that are valid in a generation, in the order of the keys
// of their communities, like Entities.
func (s *Store) Reports(ctx context.Context, corpus string, generation int64) iter.Seq2[graph.Report, error] {
	return pages(ctx, s, cypher.ReadExportReports, corpus, exportPage/4, map[string]any{"generation": generation},
		func(v values) string { return v.sub("community").text("key") },
		func(v values) (graph.Report, bool) { return reportRow(v).Report, v["report"] != nil })
}

// Mentions are the chunks that mention an entity most, most records first, and a name
// of the entity in each.
type Mentions struct {
	Entity string
	Chunks []Mention
}

// A Mention is the key of a chunk and a name of an entity in it.
type Mention struct{ Chunk, Name string }

// Mentions returns at most limit chunks for every entity of a corpus, like Entities.
func (s *Store) Mentions(ctx context.Context, corpus string, limit int) iter.Seq2[Mentions, error] {
	return pages(ctx, s, cypher.ReadExportMentions, corpus, exportPage/4, map[string]any{"supports": limit},
		func(v values) string { return v.text("key") },
		func(v values) (Mentions, bool) {
			m := Mentions{Entity: v.text("key")}
			for _, c := range v.maps("mentions") {
				m.Chunks = append(m.Chunks, Mention{Chunk: c.text("chunk"), Name: c.text("name")})
			}
			return m, true
		})
}

// Chunks returns all chunks of a corpus with their documents, like Entities.
func (s *Store) Chunks(ctx context.Context, corpus string) iter.Seq2[ChunkRow, error] {
	return func(yield func(ChunkRow, error) bool) {
		after := ""
		for {
			page, err := s.ChunkRowPage(ctx, corpus, after, exportPage/4)
			if err != nil {
				yield(ChunkRow{}, err)
				return
			}
			for _, row := range page {
				if !yield(row, nil) {
					return
				}
				after = row.Key
			}
			if len(page) < exportPage/4 {
				return
			}
		}
	}
}

// pages reads a statement page by page. The next page starts after the cursor of the last
// row. item converts a row, and reports whether it is to be returned.
func pages[T any](ctx context.Context, s *Store, st cypher.Statement, corpus string, limit int, extra map[string]any,
	cursor func(values) string, item func(values) (T, bool),
) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		params := keyRange(corpus, "", limit)
		maps.Copy(params, extra)
		for {
			page, err := rows(ctx, s, st, corpus, params, func(v values) values { return v })
			if err != nil {
				var none T
				yield(none, fmt.Errorf("read corpus %s: %w", corpus, err))
				return
			}
			for _, v := range page {
				if made, ok := item(v); ok && !yield(made, nil) {
					return
				}
			}
			if len(page) < limit {
				return
			}
			params["after"] = cursor(page[len(page)-1])
		}
	}
}
