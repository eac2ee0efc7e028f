package query

import (
	"context"

	"github.com/neorag/neorag/internal/query/retrieve"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// Rerank orders the best of ranked chunks again by the reranker of the engine, if it has one.
// A note says why it could not. Every method that ranks chunks calls it, or AnswerRanked.
func (r Request) Rerank(ctx context.Context, chunks []retrieve.Chunk) (reranked []retrieve.Chunk, notes []string, err error) {
	return retrieve.Rerank(ctx, r.Options.Reranker, r.Text, chunks)
}

// RerankRanking is rerank for a ranking, of which it reads the best chunks. Their documents
// precede the others.
func (r Request) RerankRanking(ctx context.Context, found retrieve.Ranking) (retrieve.Ranking, error) {
	if r.Options.Reranker == nil {
		return found, nil
	}
	best := min(retrieve.RerankLimit, len(found.Chunks))
	chunks, err := r.Reader.Chunks(ctx, found.Chunks[:best])
	if err != nil {
		return found, err
	}
	chunks, notes, err := r.Rerank(ctx, chunks)
	if err != nil || len(notes) > 0 {
		found.Notes = append(found.Notes, notes...)
		return found, err
	}
	top := RankingOf(chunks, found.Notes)
	top.Chunks = append(top.Chunks, found.Chunks[best:]...)
	seen := map[string]bool{}
	for _, d := range top.Documents {
		seen[d.Key] = true
	}
	for _, d := range found.Documents {
		if !seen[d.Key] {
			top.Documents = append(top.Documents, d)
		}
	}
	return top, nil
}

// RankingOf returns chunks as a ranking, and ranks documents by their best chunk.
func RankingOf(chunks []retrieve.Chunk, notes []string) retrieve.Ranking {
	hits := make([]neo4jstore.Hit, len(chunks))
	for i, c := range chunks {
		hits[i] = neo4jstore.Hit{Key: c.Key, Document: c.Document, Score: c.Score}
	}
	out := retrieve.ByVector(hits)
	out.Notes = notes
	return out
}
