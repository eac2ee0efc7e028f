package query

import (
	"context"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/lang"
	"github.com/neorag/neorag/internal/neo4jstore"
	"github.com/neorag/neorag/internal/rank"
)

// hitLimit is how many hits each view of the full-text search gives.
const hitLimit = 300

// Retrieved are documents and chunks in the order of their worth for a
// question. Scores are those of rank.Combine: the best is about 1.
type Retrieved struct {
	Documents []rank.Scored
	Chunks    []rank.Scored
}

// Retrieve searches without a model: terms, word pairs, documents and leads in
// full text, summed in Go. It costs one round trip.
func (e *Engine) Retrieve(ctx context.Context, question string) (Retrieved, error) {
	asked := lang.ReadQuestion(question)
	found, err := e.store.Search(ctx, e.options.Corpus, neo4jstore.SearchQuery{
		Terms: asked.Lucene(), Pairs: asked.LucenePairs(), Limit: hitLimit,
	})
	if err != nil {
		return Retrieved{}, err
	}
	return Retrieved{Documents: rankDocuments(found), Chunks: rankChunks(found)}, nil
}

// nearest ranks chunks for a question: by their vectors where the corpus has
// those of a model, else as Retrieve does.
func (e *Engine) nearest(ctx context.Context, question string) (chunks []rank.Scored, notes []string, err error) {
	if e.options.Embedder != nil {
		vectors, err := e.options.Embedder.Embed(ctx, []string{question})
		if err == nil {
			found, err := e.store.SearchVector(ctx, e.options.Corpus, graph.KindChunk, vectors[0], candidateChunks)
			if err != nil {
				return nil, nil, err
			}
			for _, h := range found {
				chunks = append(chunks, rank.Scored{Key: h.Key, Score: h.Score})
			}
			return chunks, nil, nil
		}
		if ctx.Err() != nil {
			return nil, nil, err
		}
		notes = append(notes, "The question could not be embedded, so that chunks were found by their words: "+err.Error())
	}
	found, err := e.Retrieve(ctx, question)
	return found.Chunks, notes, err
}

func rankDocuments(found neo4jstore.SearchResult) []rank.Scored {
	return rank.Combine(rank.Views{
		Passages: hits(found.Passages, byDocument), Pairs: hits(found.Pairs, byDocument),
		Documents: hits(found.Documents, byDocument), Leads: hits(found.Leads, byDocument),
	}, found.PassageCounts, rank.Weights{})
}

// rankChunks scores a chunk as its document is scored, but with its own best passage.
func rankChunks(found neo4jstore.SearchResult) []rank.Scored {
	chunks := map[string][]string{} // by document
	counts := map[string]int{}
	seen := map[string]bool{}
	for _, list := range [][]neo4jstore.Hit{found.Passages, found.Pairs} {
		for _, h := range list {
			if !seen[h.Owner] {
				seen[h.Owner] = true
				chunks[h.Document] = append(chunks[h.Document], h.Owner)
				counts[h.Owner] = found.PassageCounts[h.Document]
			}
		}
	}
	spread := func(list []neo4jstore.Hit) []rank.Hit {
		var out []rank.Hit
		for _, h := range list {
			for _, c := range chunks[h.Document] {
				out = append(out, rank.Hit{Key: h.Key, Owner: c, Score: h.Score})
			}
		}
		return out
	}
	return rank.Combine(rank.Views{
		Passages: hits(found.Passages, byOwner), Pairs: hits(found.Pairs, byOwner),
		Documents: spread(found.Documents), Leads: spread(found.Leads),
	}, counts, rank.Weights{})
}

func byDocument(h neo4jstore.Hit) string { return h.Document }
func byOwner(h neo4jstore.Hit) string    { return h.Owner }

func hits(list []neo4jstore.Hit, owner func(neo4jstore.Hit) string) []rank.Hit {
	out := make([]rank.Hit, len(list))
	for i, h := range list {
		out[i] = rank.Hit{Key: h.Key, Owner: owner(h), Score: h.Score}
	}
	return out
}
