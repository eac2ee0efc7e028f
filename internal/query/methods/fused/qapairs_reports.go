package fused

import (
	"context"

	"golang.org/x/sync/errgroup"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/query/rank"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/text/textproc"
)

const (
	nearPairs      = 100 // question-answer pairs that are near to the question
	pairCandidates = 20  // pairs whose documents are compared with the question in detail
	citedReports   = 8   // whose citations are followed
	hubChunks      = 20  // a cited entity that more chunks mention says little of each
)

// A citedReport is a report that a search found, with what it cites.
type citedReport struct {
	score    float64 // relative to the best
	supports []graph.Reference
}

// searchArtifacts searches the pairs and the reports, if their paths have a weight. A corpus
// without pairs is ErrNotIndexed.
func (f *fusion) searchArtifacts(ctx context.Context, q textproc.Query) error {
	group, ctx := errgroup.WithContext(ctx)
	if f.weights.Queries != 0 {
		group.Go(func() error { return f.searchPairs(ctx) })
	}
	if f.weights.Reports != 0 {
		group.Go(func() error { return f.searchReports(ctx, q) })
	}
	return group.Wait()
}

func (f *fusion) searchPairs(ctx context.Context) error {
	if _, err := f.Reader.CorpusWith(ctx, f.corpus.Name, neo4jstore.ArtifactQueries); err != nil {
		return err
	}
	vector, err := f.corpus.Embed(ctx, f.Text)
	if err != nil {
		return err
	}
	f.pairs, err = f.Reader.Store.SearchQueries(ctx, f.corpus.Name, neo4jstore.QuerySearch{Vector: vector, Limit: nearPairs, Scope: f.corpus.Filter})
	return err
}

// searchReports searches the reports by words, and reads what the best cite.
func (f *fusion) searchReports(ctx context.Context, q textproc.Query) error {
	store := f.Reader.Store
	hits, err := store.SearchTerms(ctx, f.corpus.Name, []graph.Kind{graph.KindReport}, q.Lucene(), citedReports)
	if err != nil || len(hits) == 0 {
		return err
	}
	refs := make([]graph.Reference, len(hits))
	scores := map[string]float64{}
	for i, h := range hits {
		refs[i] = graph.Reference{Kind: graph.KindReport, Key: h.Key}
		scores[h.Key] = h.Score / hits[0].Score
	}
	found, err := store.Evidence(ctx, f.corpus.Name, refs)
	for _, ev := range found {
		f.reports = append(f.reports, citedReport{scores[ev.Key], ev.Supports})
	}
	return err
}

// addPairs adds the cosine of the best pair of each chunk, relative to the best of all. Chunks
// of compared documents that no text search found are ranked by it too.
func (f *fusion) addPairs(s *partSearch) {
	for _, h := range f.pairs {
		document := s.documents[h.Document]
		if document == nil || f.pairs[0].Cosine <= 0 {
			continue
		}
		score := h.Cosine / f.pairs[0].Cosine
		document.Queries = max(document.Queries, score)
		if s.chunks[h.Chunk] == nil {
			s.chunks[h.Chunk] = &rank.Features{}
		}
		s.chunks[h.Chunk].Queries = max(s.chunks[h.Chunk].Queries, score)
	}
}

// cited returns the score of the best report that cites each chunk, or an entity or a
// relationship of it.
func (f *fusion) cited() chunkScores {
	out := newChunkScores()
	for _, report := range f.reports {
		for _, ref := range report.supports {
			if ref.Kind == graph.KindChunk {
				out.best(f, ref.Key, report.score)
				continue
			}
			node, ok := f.graph.Node(ref.Kind, ref.Key)
			if !ok {
				continue
			}
			chunks := f.chunksOf(node)
			if len(chunks) > hubChunks {
				continue
			}
			for _, c := range chunks {
				out.best(f, f.graph.Key(c), report.score)
			}
		}
	}
	return out
}
