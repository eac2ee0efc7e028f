package retrieve

import (
	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/neo4jstore"
	"github.com/neorag/neorag/internal/rank"
	"github.com/neorag/neorag/internal/retrieve/snapshot"
)

// A walkedGraph is a snapshot.Snapshot: the numbers of entities are below those of chunks.
type walkedGraph interface {
	Neighbours(node uint32, each func(neighbour uint32, kind uint8, weight float32))
	Spread(seeds []rank.Seed, o rank.SpreadOptions) []float64
}

// similarChunks returns the similarity of the chunks nearest to a question by their nodes: where
// their scores are between the least and the best, from 0 to 1.
func similarChunks(g *snapshot.Snapshot, hits []neo4jstore.Hit) map[uint32]float64 {
	similar := map[uint32]float64{}
	for i, share := range shares(hits) {
		if node, ok := g.Node(graph.KindChunk, hits[i].Key); ok {
			similar[node] = share
		}
	}
	return similar
}

// shares returns where the scores of hits are between the least and the best, from 0 to 1.
func shares(hits []neo4jstore.Hit) []float64 {
	out := make([]float64, len(hits))
	for i, h := range hits { // best first
		out[i] = 1
		if width := hits[0].Score - hits[len(hits)-1].Score; width > 0 {
			out[i] = (h.Score - hits[len(hits)-1].Score) / width
		}
	}
	return out
}

// walked returns the chunks that may be read and that walks came to, and their documents by
// the best of them, without an order.
func (c Corpus) walked(g *snapshot.Snapshot, scores []float64) (documents, chunks []rank.Scored) {
	from, to := g.Range(graph.KindChunk)
	best := map[string]float64{}
	inScope := c.scope()
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

// scope returns a function that reports whether a chunk may be read.
func (c Corpus) scope() func(chunk, document string) bool {
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

// scale gives the best chunk the score of the chunk nearest to the question: shares of walks
// cannot be compared with those of another corpus.
func (r *Ranking) scale(nearest float64) {
	best := 0.
	for _, c := range r.Chunks {
		best = max(best, c.Score)
	}
	for _, list := range [][]rank.Scored{r.Chunks, r.Documents} {
		for i := range list {
			list[i].Score *= nearest / best
		}
	}
}
