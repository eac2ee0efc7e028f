package retrieve

import (
	"context"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/query/rank"
	"github.com/neorag/neorag/internal/query/retrieve/snapshot"
)

// A WalkedGraph is a snapshot.Snapshot: the numbers of entities are below the numbers of chunks.
type WalkedGraph interface {
	Neighbours(node uint32, each func(neighbour uint32, kind uint8, weight float32))
	PageRank(seeds []rank.Seed, o rank.PageRankOptions) []float64
}

// textPart is a chunk's share of walks by full text, compared with an entity's: full text tells
// chunks apart better than entities do. It was chosen on questions with even ids.
const textPart = 2

// onlyVectors reports whether chunks are similar by vectors of a model alone, as in the papers:
// where the setting text is 0.
func (c Corpus) onlyVectors(tuning Tuning) bool {
	return c.Embedder != nil && tuning.Value("text", 1) == 0
}

// ChunkPart returns a chunk's share of walks: as in the paper for vectors alone.
func (c Corpus) ChunkPart(tuning Tuning, paper float64) float64 {
	if !c.onlyVectors(tuning) {
		paper = textPart
	}
	return tuning.Value("chunk", paper)
}

// SimilarTo ranks the chunks of a corpus by their similarity to a question, as SearchChunks does
// by default, or by the vector of the question alone. The caller made the vector with the model of the
// corpus; in a corpus without a model, chunks are ranked by full text.
func (r Reader) SimilarTo(ctx context.Context, c Corpus, question string, vector []float32, limit int, tuning Tuning) (Ranking, error) {
	if c.onlyVectors(tuning) {
		return r.nearest(ctx, c, vector, limit)
	}
	found, err := r.Of(c).lexicalSearch(ctx, question, Tuning{"hits": float64(limit)})
	if err != nil {
		return Ranking{}, err
	}
	if c.Embedder != nil {
		near, err := r.nearest(ctx, c, vector, CandidateChunks)
		if err != nil {
			return Ranking{}, err
		}
		found = found.WithVectors(near, VectorWeight)
	}
	found.Chunks = found.Chunks[:min(max(0, limit), len(found.Chunks))]
	return found, nil
}

// nearest ranks at most limit chunks of a corpus by their cosine with a vector, none if it has no
// direction.
func (r Reader) nearest(ctx context.Context, c Corpus, vector []float32, limit int) (Ranking, error) {
	if !HasDirection(vector) {
		return Ranking{}, nil
	}
	hits, err := r.Store.NearestInScope(ctx, c.Name, c.Filter, vector, limit)
	return ByVector(hits), err
}

// SimilarChunks returns the similarity of chunks to a question by their nodes: where their scores
// are between the least and the best, from 0 to 1.
func SimilarChunks(g *snapshot.Snapshot, chunks []rank.Scored) map[uint32]float64 {
	similar := map[uint32]float64{}
	for _, c := range rank.MinMax(chunks) {
		if node, ok := g.Node(graph.KindChunk, c.Key); ok {
			similar[node] = c.Score
		}
	}
	return similar
}

// Walked returns the chunks that may be read and that walks came to, and their documents by
// the best of them, without an order.
func (c Corpus) Walked(g *snapshot.Snapshot, scores []float64) (documents, chunks []rank.Scored) {
	from, to := g.Range(graph.KindChunk)
	best := map[string]float64{}
	inScope := c.InScope()
	for node := from; node < to; node++ {
		if scores[node] <= 0 {
			continue
		}
		key := g.Key(node)
		document, _ := g.DocumentOfNode(node)
		if inScope(key, document) {
			chunks = append(chunks, rank.Scored{Key: key, Score: scores[node]})
			best[document] = max(best[document], scores[node])
		}
	}
	for document, score := range best {
		documents = append(documents, rank.Scored{Key: document, Score: score})
	}
	return documents, chunks
}

// InScope returns a function that reports whether a chunk may be read.
func (c Corpus) InScope() func(chunk, document string) bool {
	if c.Filter == nil {
		return func(string, string) bool { return true }
	}
	set := func(keys []string) map[string]bool {
		out := make(map[string]bool, len(keys))
		for _, key := range keys {
			out[key] = true
		}
		return out
	}
	documents, chunks := set(c.Filter.Documents), set(c.Filter.Chunks)
	return func(chunk, document string) bool {
		return documents[document] && (c.Filter.Chunks == nil || chunks[chunk])
	}
}

// ScaleTo gives the best chunk of one of several corpora the score of the chunk nearest to the question:
// shares of walks cannot be compared with shares in another corpus.
func (r *Ranking) ScaleTo(nearest []rank.Scored, reader Reader) {
	if len(reader.Corpora) < 2 || len(nearest) == 0 {
		return
	}
	best := 0.
	for _, c := range r.Chunks {
		best = max(best, c.Score)
	}
	for _, list := range [][]rank.Scored{r.Chunks, r.Documents} {
		for i := range list {
			list[i].Score *= nearest[0].Score / best
		}
	}
}
