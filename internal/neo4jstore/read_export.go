package neo4jstore

import (
	"context"
	"fmt"
	"iter"
	"maps"

	"github.com/neorag/neorag/cypher"
	"github.com/neorag/neorag/internal/graph"
)

// exportPage is how many nodes an export holds at a time; reports and mentions,
// which are longer, come a quarter of it at a time.
const exportPage = 1000

// Entities reads all entities of a corpus in key order. At most a page is held
// in memory; the sequence ends with the first error and may be ranged over again.
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

// Relationships reads all relationships of a corpus as Entities does.
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

// Reports reads all reports that are valid in a generation, in the order of
// their communities' keys, as Entities does.
func (s *Store) Reports(ctx context.Context, corpus string, generation int64) iter.Seq2[graph.Report, error] {
	return pages(ctx, s, cypher.ReadExportReports, corpus, exportPage/4, map[string]any{"generation": generation},
		func(v values) string { return v.sub("community").text("key") },
		func(v values) (graph.Report, bool) { return reportRow(v).Report, v["report"] != nil })
}

// Mentions are the chunks that say most of an entity, most records first, and
// a name that it has in each.
type Mentions struct {
	Entity string
	Chunks []Mention
}

// A Mention is a chunk, by key, and a name that it has for an entity.
type Mention struct{ Chunk, Name string }

// Mentions reads, for every entity of a corpus, at most limit chunks, as
// Entities does.
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

// Chunks reads all chunks of a corpus with their documents as Entities does.
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

// pages reads a statement page after page. Each row says by its cursor where
// the next page starts; item makes what is handed over of a row, or says that
// there is nothing.
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
				yield(none, fmt.Errorf("reading corpus %s: %w", corpus, err))
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
