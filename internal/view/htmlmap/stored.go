package htmlmap

import (
	"cmp"
	"context"
	"iter"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/view/export"
)

// Stored returns the content of the page of a graph that was read from a store.
func Stored(ctx context.Context, store *neo4jstore.Store, g export.Graph) (Source, error) {
	counts, err := store.Counts(ctx, g.Corpus)
	if err != nil {
		return Source{}, err
	}
	return Source{
		Graph: g, Documents: counts.Documents,
		Quotes: func(limit int) iter.Seq2[Quote, error] { return storedQuotes(ctx, store, g.Corpus, limit) },
		Cited: func(refs []graph.Reference) ([]Citation, error) {
			found, err := store.Evidence(ctx, g.Corpus, refs)
			cited := make([]Citation, len(found))
			for i, e := range found {
				cited[i] = Citation{Kind: e.Kind, Key: e.Key, Title: e.Title, Text: cmp.Or(e.Quote, e.ChunkText, e.Text), Document: e.DocumentURI}
			}
			return cited, err
		},
	}, nil
}

// storedQuotes yields, for each entity, the chunks that mention it most. It reads
// each chunk once.
func storedQuotes(ctx context.Context, store *neo4jstore.Store, corpus string, limit int) iter.Seq2[Quote, error] {
	return func(yield func(Quote, error) bool) {
		wanted := map[string][]Quote{}
		for m, err := range store.Mentions(ctx, corpus, limit) {
			if err != nil {
				yield(Quote{}, err)
				return
			}
			for _, in := range m.Chunks {
				wanted[in.Chunk] = append(wanted[in.Chunk], Quote{Entity: m.Entity, Name: in.Name})
			}
		}
		for chunk, err := range store.Chunks(ctx, corpus) {
			if err != nil {
				yield(Quote{}, err)
				return
			}
			for _, q := range wanted[chunk.Key] {
				q.Text, q.Document = chunk.Text, cmp.Or(chunk.DocumentTitle, chunk.DocumentURI)
				if !yield(q, nil) {
					return
				}
			}
		}
	}
}
